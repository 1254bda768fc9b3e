// SPDX-License-Identifier: MIT
// The alpha puzzle of [Barbic07] figure 3.31: two tubes bent like the letter alpha, one hooked into the
// other, as a scene, and a way to part them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/haptics/hand_motion.hpp"

namespace pliant::bench {

inline constexpr double alpha_size = 0.2;  // m

// 5,571 points in 4 levels, a field of 128^3. `handle`: further keys of the hand.
inline std::string alpha_scene(const std::string& handle) {
  return "gravity = [0, 0, 0]\n"
         "[body.red]\n"
         "mesh = { model = \"alpha_puzzle\", parameters = { piece = 1 } }\n"
         "engine = { kind = \"rigid\" }\n"
         "contact = { role = \"shell\", points = 5571, levels = 4 }\n"
         "[body.blue]\n"
         "mesh = { model = \"alpha_puzzle\", parameters = { piece = 2 } }\n"
         "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
         "contact = { role = \"field\", resolution = 128 }\n"
         "[handle]\nbody = \"blue\"\n" +
         handle + "[device]\nkind = \"viewer\"\n";
}

// Where the frame of the blue tube goes, found by a search at random (a rapidly exploring tree) and
// shortened: there is at least 1 mm between the tubes all along, and no way with 2.2 mm was found. In
// 1.8ths of the size; rotations w, x, y, z.
struct AlphaPose {
  std::array<double, 3> place;
  std::array<double, 4> turn;
};
inline constexpr std::array<AlphaPose, 42> alpha_solution{{
    {{0.0000, 0.0000, 0.0000}, {1.0000, 0.0000, 0.0000, 0.0000}},
    {{0.0612, -0.0269, 0.1079}, {0.9815, -0.0451, -0.1857, -0.0091}},
    {{0.0684, -0.0336, 0.1490}, {0.9619, -0.0645, -0.2654, -0.0130}},
    {{0.0465, -0.0365, 0.2166}, {0.8903, -0.1075, -0.4420, -0.0218}},
    {{0.0318, -0.0264, 0.2353}, {0.8545, -0.1234, -0.5039, -0.0259}},
    {{0.0281, -0.0228, 0.2395}, {0.8450, -0.1273, -0.5187, -0.0270}},
    {{0.0273, -0.0218, 0.2405}, {0.8428, -0.1281, -0.5220, -0.0273}},
    {{0.0224, -0.0164, 0.2465}, {0.8299, -0.1332, -0.5411, -0.0294}},
    {{0.0185, -0.0141, 0.2519}, {0.8204, -0.1366, -0.5543, -0.0322}},
    {{0.0103, -0.0091, 0.2613}, {0.8010, -0.1433, -0.5800, -0.0379}},
    {{0.0030, -0.0049, 0.2679}, {0.7842, -0.1487, -0.6010, -0.0428}},
    {{-0.0020, -0.0035, 0.2728}, {0.7735, -0.1518, -0.6135, -0.0469}},
    {{-0.0357, -0.0029, 0.3007}, {0.7055, -0.1687, -0.6837, -0.0796}},
    {{-0.0621, -0.0222, 0.3279}, {0.6619, -0.1752, -0.7195, -0.1158}},
    {{-0.0854, -0.0478, 0.3551}, {0.6288, -0.1777, -0.7415, -0.1524}},
    {{-0.0884, -0.0512, 0.3586}, {0.6244, -0.1780, -0.7441, -0.1573}},
    {{-0.0948, -0.0586, 0.3657}, {0.6157, -0.1784, -0.7491, -0.1675}},
    {{-0.1106, -0.0765, 0.3829}, {0.5933, -0.1791, -0.7607, -0.1930}},
    {{-0.1200, -0.0878, 0.3927}, {0.5804, -0.1791, -0.7666, -0.2084}},
    {{-0.1262, -0.0956, 0.3991}, {0.5723, -0.1788, -0.7699, -0.2185}},
    {{-0.1395, -0.1142, 0.4132}, {0.5562, -0.1776, -0.7754, -0.2407}},
    {{-0.1585, -0.1415, 0.4326}, {0.5338, -0.1750, -0.7811, -0.2726}},
    {{-0.1619, -0.1466, 0.4359}, {0.5302, -0.1743, -0.7818, -0.2782}},
    {{-0.1754, -0.1676, 0.4492}, {0.5154, -0.1716, -0.7838, -0.3009}},
    {{-0.1903, -0.1909, 0.4629}, {0.4999, -0.1681, -0.7849, -0.3253}},
    {{-0.2084, -0.2178, 0.4780}, {0.4823, -0.1636, -0.7852, -0.3523}},
    {{-0.2267, -0.2429, 0.4918}, {0.4663, -0.1595, -0.7851, -0.3752}},
    {{-0.2371, -0.2553, 0.4988}, {0.4581, -0.1577, -0.7852, -0.3856}},
    {{-0.2505, -0.2710, 0.5078}, {0.4474, -0.1553, -0.7854, -0.3987}},
    {{-0.2517, -0.2723, 0.5085}, {0.4465, -0.1551, -0.7854, -0.3997}},
    {{-0.2804, -0.2975, 0.5263}, {0.4265, -0.1528, -0.7879, -0.4170}},
    {{-0.3090, -0.3153, 0.5438}, {0.4078, -0.1532, -0.7928, -0.4263}},
    {{-0.3281, -0.3248, 0.5558}, {0.3955, -0.1545, -0.7967, -0.4300}},
    {{-0.3660, -0.3394, 0.5801}, {0.3712, -0.1589, -0.8058, -0.4331}},
    {{-0.3990, -0.3568, 0.6064}, {0.3538, -0.1641, -0.8100, -0.4380}},
    {{-0.6149, -0.4751, 0.7847}, {0.2311, -0.1998, -0.8289, -0.4686}},
    {{-0.6170, -0.4763, 0.7866}, {0.2301, -0.2002, -0.8288, -0.4691}},
    {{-0.6212, -0.4791, 0.7910}, {0.2285, -0.2014, -0.8281, -0.4705}},
    {{-0.6261, -0.4827, 0.7965}, {0.2276, -0.2031, -0.8266, -0.4729}},
    {{-0.6319, -0.4871, 0.8032}, {0.2268, -0.2053, -0.8245, -0.4759}},
    {{-1.1417, -1.0741, 1.4256}, {0.2909, -0.4244, -0.3474, -0.7839}},
    {{-1.1434, -1.0762, 1.4271}, {0.2909, -0.4249, -0.3456, -0.7845}},
}};

// At an even pace along it, in `duration` [s].
inline HandTrajectory solve_alpha(double duration) {
  std::vector<HandPoint> points;
  for (const AlphaPose& at : alpha_solution) {
    const auto& [w, x, y, z] = at.turn;
    HandPoint p;
    p.pose.position = alpha_size / 1.8 * Vector3d(at.place.data());
    p.pose.rotation = Eigen::Quaterniond(w, x, y, z).normalized();
    if (!points.empty()) {
      const HandPoint& last = points.back();
      p.time = last.time + (p.pose.position - last.pose.position).norm() +
               0.05 * p.pose.rotation.angularDistance(last.pose.rotation);
    }
    points.push_back(p);
  }
  const double whole = points.back().time;
  for (HandPoint& p : points) p.time *= duration / whole;
  return HandTrajectory(std::move(points));
}

}  // namespace pliant::bench
