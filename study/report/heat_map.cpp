#include "headwise/study/report/heat_map.h"

#include <algorithm>
#include <cmath>

#include "headwise/study/report/study_json.h"

namespace headwise::study {
namespace {

constexpr int cell_width = 76, cell_height = 34, label_width = 96, line_height = 15, title_height = 34,
              margin = 12;

std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::vector<std::string> split_at_blanks(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c != ' ') {
      parts.back() += c;
    } else if (!parts.back().empty()) {
      parts.emplace_back();
    }
  }
  return parts;
}

// From white to a dark blue; the text turns white where the cell is dark.
struct Colour {
  int red, green, blue;
  bool dark;
};
Colour colour_of(double weight) {
  const double w = std::clamp(weight, 0.0, 1.0);
  auto mix = [w](int light, int full) { return static_cast<int>(std::lround(light + (full - light) * w)); };
  return {mix(247, 8), mix(251, 48), mix(255, 107), w > 0.45};
}

std::string text_at(int x, int y, const char* anchor, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, style,
                     escape(text));
}

std::string file_name(std::string arm) {
  std::replace(arm.begin(), arm.end(), ' ', '_');
  arm.erase(std::remove(arm.begin(), arm.end(), '='), arm.end());
  return arm;
}

}  // namespace

std::string heat_map_svg(const std::string& title, const std::vector<std::string>& words,
                         const std::vector<HeatMapRow>& rows, const std::vector<std::string>& marks) {
  size_t lines = 1;
  for (const std::string& word : words) lines = std::max(lines, split_at_blanks(word).size());
  const int head = title_height + static_cast<int>(lines + 1) * line_height + 6;
  const int width = 2 * margin + label_width + cell_width * static_cast<int>(words.size());
  const int height = head + cell_height * static_cast<int>(rows.size()) + margin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"white\"/>\n",
      width, height, escape(title));
  svg += text_at(margin, 22, "start", "font-size=\"14\" font-weight=\"bold\"", title);
  for (size_t j = 0; j < words.size(); ++j) {
    const int centre = margin + label_width + static_cast<int>(j) * cell_width + cell_width / 2;
    svg += text_at(centre, title_height + line_height, "middle", "font-weight=\"bold\" fill=\"#b03a2e\"",
                   marks[j]);
    const auto parts = split_at_blanks(words[j]);
    for (size_t p = 0; p < parts.size(); ++p)
      svg += text_at(centre, head - 6 - static_cast<int>(parts.size() - 1 - p) * line_height, "middle",
                     "fill=\"#222\"", parts[p]);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const int top = head + static_cast<int>(i) * cell_height;
    svg +=
        text_at(margin + label_width - 10, top + cell_height / 2 + 4, "end", "fill=\"#222\"", rows[i].label);
    for (size_t j = 0; j < words.size(); ++j) {
      const Colour colour = colour_of(rows[i].weights[j]);
      const int left = margin + label_width + static_cast<int>(j) * cell_width;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"rgb({},{},{})\" stroke=\"#ccd\"/>\n",
          left, top, cell_width, cell_height, colour.red, colour.green, colour.blue);
      svg += text_at(left + cell_width / 2, top + cell_height / 2 + 4, "middle",
                     colour.dark ? "fill=\"white\"" : "fill=\"#333\"",
                     fmt::format("{:.2f}", rows[i].weights[j]));
    }
  }
  return svg + "</svg>\n";
}

int write_heat_maps(const Study& study, const std::filesystem::path& folder) {
  int written = 0;
  const auto& sentences = study.arms.front().starts.front().shown;
  for (size_t s = 0; s < sentences.size(); ++s) {
    const ShownSentence& sentence = sentences[s];
    std::vector<std::string> marks(sentence.words.size());
    for (size_t r = 0; r < study.relations.size(); ++r)
      marks[static_cast<size_t>(sentence.relation_positions[r])] = study.relations[r];
    std::vector<HeatMapRow> all;
    for (const Arm& arm : study.arms) {
      const auto& weights = arm.starts.front().shown[s].weights;
      for (size_t head = 0; head < weights.size(); ++head) {
        const std::string label = fmt::format("{} head {}", arm.name(), head);
        all.push_back({label, weights[head]});
        write_file(
            folder / fmt::format("attention_{}_head{}_sentence{}.svg", file_name(arm.name()), head, s + 1),
            heat_map_svg(fmt::format("{}: {}", label, sentence.title), sentence.words, {all.back()}, marks));
        ++written;
      }
    }
    write_file(folder / fmt::format("attention_sentence{}.svg", s + 1),
               heat_map_svg(sentence.title, sentence.words, all, marks));
    ++written;
  }
  return written;
}

}  // namespace headwise::study
