// SPDX-License-Identifier: MIT
#include "pliant/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pliant/report/markup.hpp"

namespace pliant {
namespace {

// Layout in pixels.
constexpr double plot_width = 460, plot_height = 300, left = 78, top = 48, bottom = 58;
constexpr double legend_gap = 18, legend_line = 26, legend_row = 20, letter = 7.6, font = 13;
constexpr double resolution = 0.4;  // points of a curve nearer than this are left out

// The colours of Okabe and Ito, which colour-blind people can tell apart; brighter on dark pages.
constexpr const char* light_colours[] = {"#0072b2", "#d55e00", "#009e73",
                                         "#b0568a", "#b27b00", "#56a0d3"};
constexpr const char* dark_colours[] = {"#4fb0ea", "#ff8a3c", "#2fd3a2",
                                        "#e39bc6", "#f0b93a", "#9ad4ff"};
constexpr std::size_t colours = std::size(light_colours);

// One axis: from a value to its place between 0 and 1.
struct Axis {
  bool log;
  double low = std::numeric_limits<double>::infinity(), high = -low;  // of the value or its log
  std::vector<double> ticks = {};                                     // values

  double transformed(double value) const { return log ? std::log10(value) : value; }
  double place(double value) const { return (transformed(value) - low) / (high - low); }

  void include(double value) {
    const double t = transformed(value);
    if (!std::isfinite(t)) return;
    low = std::min(low, t);
    high = std::max(high, t);
  }

  void finish() {
    if (!(low <= high)) low = high = 0;
    if (high - low < 1e-12 * (std::abs(low) + 1e-300)) {
      low -= 0.5;
      high += 0.5;
    }
    if (log) {
      finish_log();
    } else {
      finish_linear();
    }
  }

 private:
  void finish_linear() {
    const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5   ? 1
                                 : rough / power < 3.5 ? 2
                                 : rough / power < 7.5 ? 5
                                                       : 10);
    low = step * std::floor(low / step + 1e-9);
    high = step * std::ceil(high / step - 1e-9);
    const int n = static_cast<int>(std::lround((high - low) / step));
    for (int k = 0; k <= n; ++k) {
      const double value = low + k * step;
      ticks.push_back(std::abs(value) < 1e-9 * step ? 0.0 : value);
    }
  }

  void finish_log() {
    const double margin = 0.03 * (high - low);
    low -= margin;
    high += margin;
    const int decades = static_cast<int>(std::ceil(high - low));
    const int stride = std::max(1, (decades + 6) / 7);
    for (int d = static_cast<int>(std::floor(low)); d <= static_cast<int>(std::ceil(high)); ++d) {
      for (const double m : {1.0, 2.0, 5.0}) {
        if (m == 1.0 ? d % stride != 0 : decades > 2) continue;
        const double value = m * std::pow(10.0, d);
        if (transformed(value) >= low - 1e-9 && transformed(value) <= high + 1e-9) {
          ticks.push_back(value);
        }
      }
    }
  }
};

std::string number(double value) {
  const double size = std::abs(value);
  if (value == 0 || (size > 0.99e-3 && size < 1.01e4)) return fmt::format("{:.6g}", value);
  const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  const double mantissa = value / std::pow(10.0, exponent);
  const std::string factor = std::abs(mantissa - 1) < 1e-9 ? "" : fmt::format("{:.4g}·", mantissa);
  return fmt::format("{}10<tspan dy=\"-5\" font-size=\"10\">{}</tspan>", factor, exponent);
}

std::string style() {
  std::string rules = fmt::format(
      "text{{font:{}px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24292f}}"
      ".title{{font-size:15px;font-weight:600}}.page{{fill:#fff}}"
      ".frame{{fill:none;stroke:#8c959f}}.grid{{stroke:#e4e8ec}}"
      ".curve{{fill:none;stroke-width:2;stroke-linejoin:round}}",
      font);
  std::string dark =
      "text{fill:#d7dde3}.page{fill:#14181d}.frame{stroke:#6e7781}.grid{stroke:#2b323a}";
  for (std::size_t k = 0; k < colours; ++k) {
    rules += fmt::format(".s{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", k, light_colours[k]);
    dark += fmt::format(".s{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", k, dark_colours[k]);
  }
  return fmt::format("<style>{}@media(prefers-color-scheme:dark){{{}}}</style>\n", rules, dark);
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), x_{plot.log_x}, y_{plot.log_y} {
    for (const Curve& curve : plot.curves) {
      for (const double x : curve.x) x_.include(x);
      for (const double y : curve.y) y_.include(y);
    }
    x_.finish();
    y_.finish();
  }

  std::string svg() {
    std::size_t longest = 0;
    for (const Curve& curve : plot_.curves) longest = std::max(longest, curve.name.size());
    const double legend =
        longest == 0 ? 0 : legend_gap + legend_line + 8 + letter * static_cast<double>(longest);
    const double width = std::ceil(left + plot_width + legend + 14);
    const double height = top + plot_height + bottom;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\">\n<title>{2}</title>\n",
        width, height, escaped(plot_.title));
    out_ += style();
    out_ +=
        fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n", width, height);
    text(left + plot_width / 2, 28, "middle", escaped(plot_.title), " class=\"title\"");
    axes();
    for (std::size_t k = 0; k < plot_.curves.size(); ++k) {
      draw(plot_.curves[k], k % colours);
      if (longest > 0) entry(plot_.curves[k], k);
    }
    return out_ + "</svg>\n";
  }

 private:
  double px(double x) const { return left + plot_width * x_.place(x); }
  double py(double y) const { return top + plot_height * (1 - y_.place(y)); }

  void text(double x, double y, const char* anchor, const std::string& content,
            const std::string& attributes = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                        anchor, attributes, content);
  }

  void axes() {
    const double right = left + plot_width, low = top + plot_height;
    const auto line = [&](double x1, double y1, double x2, double y2) {
      out_ += fmt::format(
          "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1,
          y1, x2, y2);
    };
    for (const double x : x_.ticks) {
      line(px(x), top, px(x), low);
      text(px(x), low + 20, "middle", number(x));
    }
    for (const double y : y_.ticks) {
      line(left, py(y), right, py(y));
      text(left - 8, py(y) + 4.5, "end", number(y));
    }
    out_ += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                        left, top, plot_width, plot_height);
    text(left + plot_width / 2, low + 44, "middle", escaped(plot_.x_label));
    const double x = 20, y = top + plot_height / 2;
    text(x, y, "middle", escaped(plot_.y_label),
         fmt::format(" transform=\"rotate(-90 {} {})\"", x, y));
  }

  void draw(const Curve& curve, std::size_t colour) {
    const std::size_t n = std::min(curve.x.size(), curve.y.size());
    std::string path, dots;
    bool pen_down = false;
    double last_x = 0, last_y = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (!std::isfinite(x_.transformed(curve.x[k])) ||
          !std::isfinite(y_.transformed(curve.y[k]))) {
        pen_down = false;
        continue;
      }
      const double x = px(curve.x[k]), y = py(curve.y[k]);
      if (pen_down && k + 1 < n && std::hypot(x - last_x, y - last_y) < resolution) continue;
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, y);
      if (curve.markers) {
        dots += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n",
                            colour, x, y);
      }
      pen_down = true;
      last_x = x;
      last_y = y;
    }
    out_ += fmt::format("<path class=\"curve s{}\"{} d=\"{}\"/>\n{}", colour,
                        curve.dashed ? " stroke-dasharray=\"6 5\"" : "", path, dots);
  }

  void entry(const Curve& curve, std::size_t k) {
    const double x = left + plot_width + legend_gap,
                 y = top + 12 + legend_row * static_cast<double>(k);
    out_ += fmt::format("<path class=\"curve s{}\"{} d=\"M{:.1f} {:.1f}h{}\"/>\n", k % colours,
                        curve.dashed ? " stroke-dasharray=\"6 5\"" : "", x, y, legend_line);
    if (curve.markers) {
      out_ += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n",
                          k % colours, x + legend_line / 2, y);
    }
    text(x + legend_line + 8, y + 4.5, "start", escaped(curve.name));
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

std::string svg_of(const Plot& plot) {
  return Drawing(plot).svg();
}

}  // namespace pliant
