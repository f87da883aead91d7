#include "headwise/autograd/gradcheck/line.h"

namespace headwise::checking {

void check_directions(Check& check) {
  for_each_input(check, [](GradcheckInput& entry, const std::vector<Line>& lines, const Measure& measure) {
    std::vector<Compared> compared;
    for (const Line& line : lines) compared.push_back(line.compared());
    judge(entry, std::move(compared), measure);
  });
}

}  // namespace headwise::checking
