// SPDX-License-Identifier: MIT
#include "pliant/report/comparison_page.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/parallel.hpp"
#include "pliant/report/markup.hpp"
#include "pliant/report/plot.hpp"

namespace pliant {
namespace {

constexpr int picture_triangles = 900;
// Of the largest displacement; above the last is the last colour.
constexpr double level_limits[picture_levels - 1] = {0.01, 0.02, 0.05, 0.1, 0.2};

constexpr const char* style = R"(
:root{--page:#f6f7f9;--card:#fff;--text:#1f2428;--soft:#5b6670;--line:#dfe3e8;--accent:#0a6ebd;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--page:#0f1317;--card:#14181d;--text:#dfe5ea;--soft:#98a4af;--line:#2b323a;--accent:#6cb6f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:1180px;margin:0 auto;padding:36px 20px 60px}
h1{font-size:30px;line-height:1.2;margin:0 0 4px}h2{font-size:19px;margin:38px 0 12px}
p{margin:0 0 10px;max-width:76ch}.soft{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:7px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
tbody tr:last-child td{border-bottom:0}th{font-weight:600;color:var(--soft);vertical-align:bottom}
th:first-child,td:first-child{text-align:left;white-space:normal;min-width:150px}
td small{display:block;color:var(--soft)}td.out{text-align:left;white-space:normal;color:var(--soft)}
.plots,.pictures{display:grid;gap:16px}
.plots{grid-template-columns:repeat(auto-fit,minmax(420px,1fr))}
.pictures{grid-template-columns:repeat(auto-fill,minmax(300px,1fr))}
.plots svg{width:100%;height:auto;display:block}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px}
figure.plot{padding:4px}figure .body{width:100%;height:auto;max-height:340px;display:block}
figcaption{padding:8px 4px 0}figcaption b{margin-right:6px}
.legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 12px;color:var(--soft);font-size:14px}
.legend i{display:inline-block;width:14px;height:14px;border-radius:3px;margin-right:6px;vertical-align:-2px}
code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--card);border:1px solid var(--line);border-radius:5px;padding:2px 6px}
@media(max-width:520px){.plots{grid-template-columns:1fr}}
)";

std::string percent(double part) {
  if (!std::isfinite(part)) return "not finite";
  const double p = 100 * part;
  if (p == 0) return "0 %";
  return p < 0.01 ? fmt::format("{:.0e} %", p)
                  : fmt::format("{:.{}f} %", p,
                                p < 1     ? 2
                                : p < 100 ? 1
                                          : 0);
}

std::string duration(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} µs", 1e6 * seconds)
         : seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} s", seconds);
}

std::string number(double value) {
  return fmt::format("{:.3g}", value);
}

std::string speed(double times) {
  return times >= 100 ? fmt::format("{:.0f}×", times) : fmt::format("{:.2g}×", times);
}

class Page {
 public:
  Page(const Comparison& comparison, const std::string& command)
      : c_(comparison), command_(command) {}

  std::string html() {
    out_ =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
        title() + ": engines compared</title>\n<style>" + style + picture_style() +
        "</style></head>\n<body><main>\n";
    head();
    table();
    for (std::size_t b = 0; b < c_.bodies.size(); ++b) {
      plots(b);
      pictures(b);
    }
    foot();
    return out_ + "</main></body></html>\n";
  }

 private:
  std::string title() const { return escaped(c_.title.empty() ? "Scene" : c_.title); }
  // Heads of a body's parts say its name if there are several.
  std::string of_body(std::size_t b) const {
    return c_.bodies.size() > 1 ? ": " + escaped(c_.bodies[b].name) : "";
  }

  void head() {
    out_ += fmt::format("<h1>{}: engines compared</h1>\n<p class=\"soft\">{}</p>\n", title(),
                        escaped(c_.description));
    for (const ComparedBody& body : c_.bodies) {
      out_ += fmt::format("<p><b>{}</b>: {} nodes, {} elements", escaped(body.name), body.nodes,
                          body.elements);
      if (body.first_frequency > 0) {
        out_ += fmt::format(", first frequency {} Hz", number(body.first_frequency));
      }
      out_ += ".</p>\n";
    }
    if (c_.touch) {
      const ComparisonTouch& t = *c_.touch;
      out_ += fmt::format(
          "<p>Every engine gets the same loads for {} s: gravity ({} {} {}) m/s², switched on at "
          "the start, and a push on the point of <b>{}</b> that yields most, at ({} {} {}) m, with "
          "({} {} {}) N until {} s; then it swings.</p>\n",
          number(c_.times.back()), number(c_.gravity[0]), number(c_.gravity[1]),
          number(c_.gravity[2]), escaped(t.body), number(t.at[0]), number(t.at[1]), number(t.at[2]),
          number(t.force[0]), number(t.force[1]), number(t.force[2]), number(t.until));
    } else {
      out_ += fmt::format("<p>Every engine gets the loads of <code>{}</code> for {} s.</p>\n",
                          escaped(c_.script), number(c_.times.back()));
    }
    const EngineComparison& r = c_.reference;
    out_ += fmt::format(
        "<p>The <b>reference</b> is the full engine: every node, Newmark (β = ¼, γ = ½) with "
        "Newton's "
        "method at {:g} steps a second, {} steps of {}. Errors are of the displacements of all "
        "nodes, weighted with their mass, relative to the largest such norm of the "
        "reference.</p>\n",
        r.rate, r.steps, duration(r.step_mean));
  }

  void row(const EngineComparison& e, bool reference) {
    out_ += fmt::format("<tr><td><b>{}</b><small>{}, {:g} Hz</small></td>", escaped(e.name),
                        escaped(e.what), e.rate);
    if (!e.left_out.empty()) {
      out_ += fmt::format("<td class=\"out\" colspan=\"9\">left out: {}</td></tr>\n",
                          escaped(e.left_out));
      return;
    }
    for (std::size_t b = 0; b < e.bodies.size(); ++b) {
      const BodyComparison& body = e.bodies[b];
      if (b > 0) out_ += "<tr><td></td>";
      const auto cell = [&](const std::string& text) { out_ += "<td>" + text + "</td>"; };
      if (c_.bodies.size() > 1) cell(escaped(body.name));
      cell(reference ? "–" : percent(body.mean_error));
      cell(reference ? "–" : percent(body.max_error));
      cell(body.frequency ? fmt::format("{:.4g} Hz", *body.frequency) : "–");
      cell(reference ? "–" : percent(body.energy_error));
      cell(percent(body.volume_change));
      if (b > 0) {
        out_ += "<td colspan=\"5\"></td></tr>\n";
        continue;
      }
      cell(fmt::format("{}<small>at most {}</small>", duration(e.step_mean), duration(e.step_max)));
      cell(speed(e.times_real_time()));
      cell(fmt::format("{}<small>+ {}</small>", duration(e.bake_seconds),
                       duration(e.set_up_seconds)));
      cell(e.memory ? fmt::format("{:.3g} MB", *e.memory / 1e6) : "–");
      out_ += "</tr>\n";
    }
  }

  void table() {
    out_ += "<h2>Figures</h2>\n<div class=\"card\"><table><thead><tr><th>engine</th>";
    if (c_.bodies.size() > 1) out_ += "<th>body</th>";
    for (const char* name : {"error,<br>mean", "error,<br>largest", "frequency<br>of the swing",
                             "energy,<br>largest error", "volume,<br>largest change", "a step",
                             "against<br>real time", "bake<br>+ set-up", "memory"}) {
      out_ += fmt::format("<th>{}</th>", name);
    }
    out_ += "</tr></thead><tbody>\n";
    row(c_.reference, true);
    for (const EngineComparison& engine : c_.engines) row(engine, false);
    out_ += "</tbody></table></div>\n";
  }

  // Curves of all engines, the reference dashed, so that what lies under it is seen.
  template <class Values>
  void plot(const std::string& name, const std::string& y_label, bool log_y, bool reference,
            const Values& values) {
    Plot plot{.title = name, .x_label = "time [s]", .y_label = y_label, .log_y = log_y};
    const auto add = [&](const EngineComparison& engine, bool dashed) {
      if (engine.bodies.empty()) return;
      plot.curves.push_back(
          {.name = engine.name, .x = c_.times, .y = values(engine), .dashed = dashed});
    };
    // Always added, so that an engine has the same colour in all plots.
    for (const EngineComparison& engine : c_.engines) add(engine, false);
    if (reference) add(c_.reference, true);
    out_ += "<figure class=\"plot\">" + svg_of(plot) + "</figure>\n";
  }

  void plots(std::size_t b) {
    out_ += "<h2>Over time" + of_body(b) + "</h2>\n<div class=\"plots\">\n";
    plot("Displacement of the point that moves farthest", "displacement [m]", false, true,
         [&](const EngineComparison& e) { return e.bodies[b].deflection; });
    plot("Error of displacement", "relative error", true, false, [&](const EngineComparison& e) {
      std::vector<double> error = e.bodies[b].error;
      error.front() = NAN;  // zero at the start, which has no logarithm
      return error;
    });
    plot("Kinetic and elastic energy", "energy [J]", false, true,
         [&](const EngineComparison& e) { return e.bodies[b].energy; });
    plot("Change of volume", "relative change", false, true,
         [&](const EngineComparison& e) { return e.bodies[b].volume; });
    out_ += "</div>\n";
  }

  void pictures(std::size_t b) {
    const ComparedBody& body = c_.bodies[b];
    PictureSeries series(body.rest, body.triangles, c_.view, picture_triangles);
    series.include(c_.reference.bodies[b].surface);
    for (const EngineComparison& e : c_.engines) {
      if (!e.bodies.empty()) series.include(e.bodies[b].surface);
    }
    out_ += fmt::format("<h2>Where the reference is deformed most{}, at {} s</h2>\n", of_body(b),
                        number(c_.picture_time));
    out_ +=
        "<p class=\"legend\"><span>difference from the reference, of its largest "
        "displacement:</span>";
    for (int level = 0; level < picture_levels; ++level) {
      const std::string range = level + 1 < picture_levels
                                    ? fmt::format("below {:g} %", 100 * level_limits[level])
                                    : std::string("more");
      out_ += fmt::format("<span><i style=\"background:{}\"></i>{}</span>", picture_colour(level),
                          range);
    }
    out_ += "</p>\n";
    const std::string id = fmt::format("rest{}", b);
    out_ += series.rest_symbol(id) + "<div class=\"pictures\">\n";
    picture(series, b, c_.reference, id);
    for (const EngineComparison& e : c_.engines) {
      if (!e.bodies.empty()) picture(series, b, e, id);
    }
    out_ += "</div>\n";
  }

  void picture(const PictureSeries& series, std::size_t b, const EngineComparison& engine,
               const std::string& rest_id) {
    const Matrix3Xd& x = engine.bodies[b].surface;
    const Matrix3Xd& reference = c_.reference.bodies[b].surface;
    const double farthest = (reference - c_.bodies[b].rest).colwise().norm().maxCoeff();
    std::vector<int> levels;
    double worst = 0;
    for (Index p = 0; p < x.cols(); ++p) {
      const double error = (x.col(p) - reference.col(p)).norm() / std::max(farthest, 1e-300);
      worst = std::max(worst, error);
      int level = 0;
      while (level < picture_levels - 1 && !(error < level_limits[level])) ++level;
      levels.push_back(level);
    }
    const bool is_reference = &engine == &c_.reference;
    out_ += fmt::format(
        "<figure>{}<figcaption><b>{}</b><span class=\"soft\">{}</span></figcaption></figure>\n",
        series.svg(x, levels, rest_id, escaped(engine.name)), escaped(engine.name),
        is_reference ? fmt::format("its farthest point has moved by {} m", number(farthest))
                     : "here off by at most " + percent(worst));
  }

  void foot() {
    out_ += fmt::format(
        "<h2>How it was measured</h2>\n<p class=\"soft\">One run of each engine on {} threads; the "
        "reduced engines use one. “A step” is the mean and the longest call of the world's step; "
        "“against real time” is the simulated time over the time that the steps took. The bake is "
        "done once and kept; the set-up is from its asset to the first step. Memory is what the "
        "heap holds for the running world. The frequency is that of the sine which fits the swing "
        "after the push best. Shown grey behind the pictures: the body at rest.</p>\n"
        "<p class=\"soft\">All have the scene's Rayleigh damping, but for explicit: its diagonal "
        "has no place for damping by stiffness, and it gets as much by mass as damps the first "
        "mode "
        "alike. Strain-rate damping, which the full engine does not have, is left out. The bake is "
        "without its figures of quality.</p>\n"
        "<p class=\"soft\"><code>{}</code></p>\n",
        threads(), escaped(command_));
  }

  const Comparison& c_;
  const std::string& command_;
  std::string out_;
};

}  // namespace

std::string comparison_page(const Comparison& comparison, const std::string& command) {
  return Page(comparison, command).html();
}

}  // namespace pliant
