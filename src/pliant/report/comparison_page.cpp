// SPDX-License-Identifier: MIT
#include "pliant/report/comparison_page.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/parallel.hpp"
#include "pliant/report/markup.hpp"
#include "pliant/report/page_parts.hpp"
#include "pliant/report/plot.hpp"

namespace pliant {
namespace {

constexpr int picture_triangles = 900;
// Of the largest displacement; above the last is the last colour.
constexpr double level_limits[picture_levels - 1] = {0.01, 0.02, 0.05, 0.1, 0.2};

std::string speed(double times) {
  return times >= 100 ? fmt::format("{:.0f}×", times) : fmt::format("{:.2g}×", times);
}

class Page {
 public:
  Page(const Comparison& comparison, const std::string& command)
      : c_(comparison), command_(command) {}

  std::string html() {
    out_ = page_begin(title() + ": engines compared", picture_style());
    head();
    table();
    for (std::size_t b = 0; b < c_.bodies.size(); ++b) {
      plots(b);
      pictures(b);
    }
    foot();
    return out_ + page_end();
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
        out_ += fmt::format(", first frequency {} Hz", short_number(body.first_frequency));
      }
      out_ += ".</p>\n";
    }
    if (c_.touch) {
      const ComparisonTouch& t = *c_.touch;
      out_ += fmt::format(
          "<p>Every engine gets the same loads for {} s: gravity ({} {} {}) m/s², switched on at "
          "the start, and a push on the point of <b>{}</b> that yields most, at ({} {} {}) m, with "
          "({} {} {}) N until {} s; then it swings.</p>\n",
          short_number(c_.times.back()), short_number(c_.gravity[0]), short_number(c_.gravity[1]),
          short_number(c_.gravity[2]), escaped(t.body), short_number(t.at[0]),
          short_number(t.at[1]), short_number(t.at[2]), short_number(t.force[0]),
          short_number(t.force[1]), short_number(t.force[2]), short_number(t.until));
    } else {
      out_ += fmt::format("<p>Every engine gets the loads of <code>{}</code> for {} s.</p>\n",
                          escaped(c_.script), short_number(c_.times.back()));
    }
    const EngineComparison& r = c_.reference;
    out_ += fmt::format(
        "<p>The <b>reference</b> is the full engine: every node, Newmark (β = ¼, γ = ½) with "
        "Newton's "
        "method at {:g} steps a second, {} steps of {}. Errors are of the displacements of all "
        "nodes, weighted with their mass, relative to the largest such norm of the "
        "reference.</p>\n",
        r.rate, r.steps, duration_text(r.step_mean));
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
      cell(reference ? "–" : percent_text(body.mean_error));
      cell(reference ? "–" : percent_text(body.max_error));
      cell(body.frequency ? fmt::format("{:.4g} Hz", *body.frequency) : "–");
      cell(reference ? "–" : percent_text(body.energy_error));
      cell(percent_text(body.volume_change));
      if (b > 0) {
        out_ += "<td colspan=\"5\"></td></tr>\n";
        continue;
      }
      cell(fmt::format("{}<small>at most {}</small>", duration_text(e.step_mean),
                       duration_text(e.step_max)));
      cell(speed(e.times_real_time()));
      cell(fmt::format("{}<small>+ {}</small>", duration_text(e.bake_seconds),
                       duration_text(e.set_up_seconds)));
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
                        short_number(c_.picture_time));
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
        is_reference ? fmt::format("its farthest point has moved by {} m", short_number(farthest))
                     : "here off by at most " + percent_text(worst));
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
