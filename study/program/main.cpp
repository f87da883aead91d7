// The headwise program.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "headwise/autograd/error.h"
#include "headwise/study/program/commands.h"
#include "headwise/study/report/build_info.h"

namespace {

constexpr int done = 0, bad_usage = 2;

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("headwise: what do attention heads learn?", "headwise");
  program.set_version_flag("--version", headwise::study::build_info::version);
  program.require_subcommand(1);
  program.footer("Example:\n  headwise study --task two-relations --heads 1,2,4 --seeds 16 --out runs/two");
  const std::pair<const char*, headwise::study::Command> commands[] = {
      {"gradcheck", headwise::study::add_gradcheck_command(program)},
      {"study", headwise::study::add_study_command(program)},
      {"tasks", headwise::study::add_tasks_command(program)},
  };
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? done : bad_usage;
  }
  try {
    for (const auto& [name, run] : commands)
      if (program.got_subcommand(name)) {
        const int code = run();
        headwise::require(std::fflush(stdout) == 0, "the output could not be written: {}",
                          std::strerror(errno));
        return code;
      }
  } catch (const std::exception& error) {
    fmt::print(stderr, "headwise: {}\n", error.what());
  }
  return bad_usage;
}
