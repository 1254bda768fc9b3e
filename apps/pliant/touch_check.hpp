// SPDX-License-Identifier: MIT
// Is a scene fit to be touched: where the time of its cycle goes, how stiff its spring may be on a
// simulated hand, and what can be passed through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/report/cell_map.hpp"

namespace pliant::app {

// Of one stage of the cycle [us].
struct StageTime {
  std::string name;
  double mean = 0, p999 = 0;
};

struct CycleTimes {
  std::vector<StageTime> stages;
  double p50 = 0, p999 = 0;  // of whole cycles [us]
  double period = 0;         // us
  int most_contacts = 0;
};
// A hand presses the held body on what is next to it; without a handle it pulls at every body's highest
// point.
CycleTimes time_stages(const TensorFile& asset);

// What a simulated hand bears, at the device: [N/m].
struct Stability {
  double scale = 1;  // metres of the scene to one of the device
  double own = 0;    // stiffness that the scene asks for
  double own_damping = 0;
  bool own_is_calm = false, touches = false;
  double stiffest = 0;         // at the scene's damping
  double stiffest_at_all = 0;  // at any, and that damping
  double best_damping = 0;
  CellMap map;
};
// Nothing: there is no hand that holds by a static coupling.
std::optional<Stability> sweep_stiffness(const TensorFile& asset);
// Why there was nothing.
std::string why_no_sweep(const TensorFile& asset);

// What is the thinnest that the held body meets, and how fast it may go [m], [m/s].
struct PopThrough {
  std::string thinnest;   // body
  double thickness = 0;   // where one in twenty of its points is thinner
  double pressed = 0;     // how deep the spring presses at most
  double step_limit = 0;  // the body's way in a cycle at most: the limit of its speed
  double speed = 0;       // of the body up to which it cannot pass; 0 or below: none
};
std::optional<PopThrough> find_pop_through(const TensorFile& asset);

}  // namespace pliant::app
