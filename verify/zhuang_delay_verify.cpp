// SPDX-License-Identifier: MIT
// [Zhuang00] 5.4.2: a body that is simulated at a low rate is shown and felt one of its steps late,
// straight between its last two states. Beside it, from the same states: the last state held, and the
// last two drawn out, neither of which is late.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/scene_world.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr int divider = 4, cycles = 2000, settled = 1000;
constexpr double dt = 1e-3, swing = 5.0, load = 0.5;  // s, Hz, N

// How far the top of a block of jelly goes along x under a force that swings [m].
std::vector<double> motion_at(double rate) {
  bench::SceneWorld scene(
      "rate = 1000\ngravity = [0, 0, 0]\n"
      "[material.jelly]\nyoung = 2e4\npoisson = 0.4\ndensity = 1000\n"
      "[body.block]\nmesh = { model = \"cube\", parameters = { size = 0.1 } }\n"
      "meshing = { kind = \"voxels\", resolution = 4, enlargement = 1 }\nmaterial = \"jelly\"\n"
      "fixed = [{ kind = \"plane\", point = [0, -0.0499, 0], normal = [0, 1, 0] }]\n"
      "contact = { role = \"none\" }\n"
      "engine = { kind = \"full\", damping = { alpha = 2, beta = 2e-3 } }\n" +
      (rate < 1000 ? fmt::format("rate = {}\n", rate) : std::string()));
  int top = 0;
  for (int s = 1; s < scene->point_count(0); ++s) {
    if (scene->position(0, s)[1] > scene->position(0, top)[1]) top = s;
  }
  const double rest = scene->position(0, top)[0];
  std::vector<double> out;
  for (int n = 0; n < cycles; ++n) {
    const double f = load * std::sin(2 * std::numbers::pi * swing * n * dt);
    scene->apply(command::Force{.body = 0, .point = top, .force = {f, 0, 0}});
    scene->step();
    out.push_back(scene->position(0, top)[0] - rest);
  }
  return out;
}

double largest_jump(const std::vector<double>& x) {
  double most = 0;
  for (std::size_t n = settled; n < x.size(); ++n) most = std::max(most, std::abs(x[n] - x[n - 1]));
  return most;
}

// Of x behind y: the shift in cycles at which they differ least, and that difference.
struct Lag {
  double cycles = 0, off = 1e9;
};
Lag lag_of(const std::vector<double>& x, const std::vector<double>& y) {
  Lag best;
  for (double shift = 0; shift <= 4 * divider; shift += 0.25) {
    double off = 0;
    for (std::size_t n = settled; n < x.size(); ++n) {
      const double at = static_cast<double>(n) - shift;
      const auto i = static_cast<std::size_t>(at);
      const double t = at - static_cast<double>(i);
      off = std::max(off, std::abs(x[n] - ((1 - t) * y[i] + t * y[i + 1])));
    }
    if (off < best.off) best = {shift, off};
  }
  return best;
}

std::vector<Row> haptic_delay() {
  const std::vector<double> shown = motion_at(1000.0 / divider), prompt = motion_at(1000);
  // Period p shows the way from state p - 1 to state p, so that its last cycle shows state p.
  const auto state = [&](int p) {
    return p < 0 ? 0.0 : shown[static_cast<std::size_t>(divider * p + divider - 1)];
  };
  std::vector<double> held, drawn_out;
  for (int n = 0; n < cycles; ++n) {
    const int p = n / divider;
    const double t = static_cast<double>(n % divider + 1) / divider;
    held.push_back(state(p));
    drawn_out.push_back(state(p) + t * (state(p) - state(p - 1)));
  }
  const double size = *std::max_element(prompt.begin() + settled, prompt.end());
  const Lag lag = lag_of(shown, prompt);
  const double jump = largest_jump(shown);
  const auto curve = [](const char* name, const std::vector<double>& x) {
    Curve c{.name = name, .x = {}, .y = {}};
    for (int n = settled; n < settled + 60; ++n) {
      c.x.push_back(n);
      c.y.push_back(1e3 * x[static_cast<std::size_t>(n)]);
    }
    return c;
  };
  write_plot({.title = "A body at 250 Hz in a loop at 1 kHz",
              .x_label = "time [ms]",
              .y_label = "displacement [mm]",
              .curves = {curve("every millisecond", prompt), curve("one step late, between", shown),
                         curve("held", held), curve("drawn out", drawn_out)}},
             "zhuang_haptic_delay");
  // A step begins with the mean of the loads since the last one did, whose middle is (D - 1) / 2 cycles
  // old; it takes D cycles, and its end is reached after D - 1 more. The shift is found to 1/4 of a cycle.
  const double expected = 0.5 * (divider - 1) + divider + (divider - 1);
  return {
      at_most("lag", lag.cycles * 1e3 * dt, (expected + 0.25) * 1e3 * dt, "ms",
              "one step, a few ms"),
      at_least("lag_at_least", lag.cycles * 1e3 * dt, (expected - 0.25) * 1e3 * dt, "ms"),
      at_most("off_after_the_lag", 100 * lag.off / size, 5, "% of the swing"),
      at_least("jump_of_held", largest_jump(held) / jump, 0.75 * divider, "times as large"),
      at_least("jump_of_drawn_out", largest_jump(drawn_out) / jump, 1.0, "times as large"),
  };
}

const Experiments experiments{{.name = "zhuang.haptic_delay", .run = haptic_delay}};

}  // namespace
}  // namespace pliant::verify
