// SPDX-License-Identifier: MIT
#include "pliant/report/cell_map.hpp"

#include <fmt/format.h>

#include "pliant/report/markup.hpp"

namespace pliant {

std::string svg_of(const CellMap& map) {
  constexpr int width = 56, height = 30, left = 110, top = 40, below = 90;
  const int columns = static_cast<int>(map.x.size()), rows = static_cast<int>(map.y.size());
  const int right = left + columns * width, bottom = top + rows * height;
  const auto text = [](int x, int y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                       escaped(words));
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#777\">\n",
      right + 20, bottom + below);
  out += fmt::format("<title>{}</title>\n", escaped(map.title));
  out += text((left + right) / 2, 20, "middle", map.title);
  for (int j = 0; j < rows; ++j) {
    const int y = bottom - (j + 1) * height;
    out += text(left - 8, y + 20, "end", map.y[static_cast<std::size_t>(j)]);
    for (int i = 0; i < columns; ++i) {
      const auto kind =
          static_cast<std::size_t>(map.kind[static_cast<std::size_t>(j * columns + i)]);
      const bool marked = i == map.marked_x && j == map.marked_y;
      out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n",
                         left + i * width + 1, y + 1, width - 2, height - 2, map.kinds[kind].colour,
                         marked ? " stroke=\"#d1491f\" stroke-width=\"3\"" : "");
    }
  }
  for (int i = 0; i < columns; ++i) {
    out += text(left + i * width + width / 2, bottom + 16, "middle",
                map.x[static_cast<std::size_t>(i)]);
  }
  out += text((left + right) / 2, bottom + 36, "middle", map.x_label);
  out += fmt::format(
      "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (top + bottom) / 2, escaped(map.y_label));
  int x = left;
  for (const CellMap::Kind& kind : map.kinds) {
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", x,
                       bottom + 58, kind.colour);
    out += text(x + 18, bottom + 68, "start", kind.name);
    x += 40 + 7 * static_cast<int>(kind.name.size());
  }
  return out + "</svg>\n";
}

}  // namespace pliant
