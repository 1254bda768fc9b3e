// SPDX-License-Identifier: MIT
// The hand's loop without a scene: bounds that [Barbic07] chapter 4 states, and how stiff a wall a
// simulated hand can touch at a rate, by each coupling.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/dynamic_coupling.hpp"
#include "pliant/haptics/operator_hand.hpp"
#include "pliant/haptics/passivity_guard.hpp"
#include "pliant/haptics/yielding_contact.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

Vector3d random_vector(Random& random) {
  return {random.normal(), random.normal(), random.normal()};
}

// Planes through the grasped point: 4.7, multiplane penalty contact.
struct Planes {
  std::vector<Vector3d> normals;
  std::vector<double> offsets;
  double stiffness = 3000;

  HeldContact at(const Vector3d& x) const {
    HeldContact sum;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const double depth = offsets[i] - normals[i].dot(x);
      if (depth <= 0) continue;
      sum.wrench.head<3>() += stiffness * depth * normals[i];
      sum.gradient.topLeftCorner<3, 3>() -= stiffness * normals[i] * normals[i].transpose();
    }
    return sum;
  }
};

std::vector<Row> stiffness_bound() {
  Random random(1);
  StaticCouplingSpec spec;
  spec.damping = 0;
  spec.most_speed = spec.most_turning = 1e6;
  spec.device_force = spec.device_torque = 1e9;
  double most = 0, off = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Planes planes;
    for (int n = 0; n < 1 + trial % 12; ++n) {
      planes.normals.push_back(random_vector(random).normalized());
      planes.offsets.push_back(0.05);
    }
    const auto settle = [&](const Vector3d& at) {
      StaticCoupling coupling(spec, 1e-3, {});
      HandForce out;
      for (int n = 0; n < 40; ++n) {
        out = coupling.advance({at, Eigen::Quaterniond::Identity()},
                               planes.at(coupling.object().position));
      }
      return Vector3d(out.on_hand.head<3>());
    };
    const Vector3d at = 1e-3 * random_vector(random);
    Matrix3d A;  // of the force by the place of the hand
    const double h = 1e-6;
    for (int j = 0; j < 3; ++j) {
      A.col(j) =
          (settle(at + h * Vector3d::Unit(j)) - settle(at - h * Vector3d::Unit(j))) / (2 * h);
    }
    const double k = spec.spring.force.stiffness;
    const double rendered = A.operatorNorm();
    most = std::max(most, rendered / k);
    const double J = planes.at(Vector3d::Zero()).gradient.topLeftCorner<3, 3>().operatorNorm();
    off = std::max(off, rendered / (1 / (1 / J + 1 / k)));
  }
  return {at_most("of_spring", most, 1 + 1e-6, "", "<= 1"),
          at_most("of_both_springs", off, 1 + 1e-6, "", "<= 1")};
}

// ---- A wall that a hand presses on, at x < q.

struct Loop {
  double rate = 1000;
  double K = 1000;  // of the spring; contact and wall are ten times stiffer
  int delay = 0;
  bool guarded = false;
};

enum class Kind { plain, still, damped, moving, coupled };

// Its surface q is a mass on a spring and a damper, and contacts push it by k_c (q - x). Each step takes
// its own motion implicitly, and that of the other at its rate, as the world does; or both are solved
// for as one.
class Wall {
 public:
  Wall(double stiffness, double h)
      : k_c_(stiffness), k_(stiffness), d_(2 * 0.3 * std::sqrt(stiffness * mass_)), h_(h) {}

  // On an object at x that was at `last`.
  HeldContact touch(double x, double last, bool coupled) {
    ahead_ = x - last;
    depth_ = q_ - x;
    HeldContact contact;
    together_ = coupled && depth_ > 0;
    if (depth_ <= 0) return contact;
    contact.wrench[0] = std::max(0.0, k_c_ * (depth_ + h_ * v_));
    contact.gradient(0, 0) = -k_c_;
    if (!together_) return contact;
    const Vector6d j = -Vector6d::Unit(0);
    yielding_.A(0, 0) = matrix();
    yielding_.b[0] = right_hand_side();
    yielding_.C.setZero();
    yielding_.add(j, -VectorXd::Ones(1), k_c_);
    yielding_.eliminate(VectorXd::Constant(1, h_ * v_), ahead_ * Vector6d::Unit(0), contact);
    return contact;
  }
  // The object went by z.
  void step(double z) {
    const double more = together_ ? yielding_.C(0, 0) * (z - ahead_) : 0.0;
    const double dq = (right_hand_side() + more) / matrix();
    q_ += dq;
    v_ = dq / h_;
  }

 private:
  double matrix() const { return mass_ / (h_ * h_) + d_ / h_ + k_ + (depth_ > 0 ? k_c_ : 0.0); }
  double right_hand_side() const {
    const double pushed = depth_ > 0 ? std::max(0.0, k_c_ * (depth_ - ahead_)) : 0.0;
    return mass_ / h_ * v_ - k_ * q_ - pushed;
  }

  static constexpr double mass_ = 0.05;  // kg
  double k_c_, k_, d_, h_;
  double q_ = 0, v_ = 0, ahead_ = 0, depth_ = 0;
  bool together_ = false;
  YieldingContact yielding_{1};
};

OperatorSpec arm(int delay) {
  OperatorSpec spec;
  spec.most_force = 40;
  spec.delay = delay;
  spec.encoder = 1e-6;
  return spec;
}

struct Trace {
  double late = 0.0;  // largest speed towards the end [m/s]
  bool finite = true;
};

Trace press(Kind kind, const Loop& loop) {
  const double dt = 1 / loop.rate;
  Wall wall(10 * loop.K, dt);
  const OperatorSpec spec = arm(loop.delay);
  OperatorHand hand(spec, dt, {});
  const CouplingSpring spring{{.stiffness = loop.K}, {.stiffness = 1}};
  StaticCoupling still({.spring = spring,
                        .damping = kind == Kind::still || kind == Kind::coupled ? 0.0 : 0.5,
                        .most_speed = 10,
                        .most_turning = 100,
                        .device_force = 40,
                        .device_torque = 1},
                       dt, {});
  DynamicCoupling moving({.spring = spring,
                          .mass = loop.K * dt * dt * 10,
                          .inertia = 1e-4,
                          .damping_ratio = 1,
                          .sub_steps = 10,
                          .most_speed = 10,
                          .most_turning = 100,
                          .device_force = 40,
                          .device_torque = 1},
                         dt, {});
  PassivityGuard guard({.store = 0.02, .device_damping = spec.damping}, dt);
  double x = 0, last = 0;  // of the object
  const Pose into{{-0.01, 0, 0}, Eigen::Quaterniond::Identity()};
  Trace trace;
  Vector6d before = Vector6d::Zero();
  const auto cycles = static_cast<int>(3 * loop.rate);
  for (int n = 0; n < cycles; ++n) {
    const Pose at = hand.sensed();
    Vector6d f = Vector6d::Zero();
    switch (kind) {
      case Kind::plain:
        f[0] = std::max(0.0, -loop.K * at.position[0]);
        break;
      case Kind::moving:
        f = moving.advance(at, hand.speed(), wall.touch(x, last, false)).on_hand;
        break;
      default:
        f = still.advance(at, wall.touch(x, last, kind == Kind::coupled)).on_hand;
    }
    last = x;
    x = (kind == Kind::moving ? moving.object() : still.object()).position[0];
    wall.step(x - last);
    const Vector6d place = hand.place();
    if (loop.guarded) {
      f = guard.render(f, place - before);
      f.head<3>() = no_longer(f.head<3>(), spec.most_force);
      guard.sent(f);
    }
    before = place;
    hand.advance(f, into);
    if (n > 2 * cycles / 3) trace.late = std::max(trace.late, std::abs(hand.speed()[0]));
    if (!hand.place().allFinite()) return {.late = 1e9, .finite = false};
  }
  return trace;
}

bool is_calm(const Trace& trace) {
  return trace.finite && trace.late < 0.02;
}

double stiffest(Kind kind, double rate, bool guarded) {
  double low = 1, high = 1e7;
  const auto calm = [&](double K) {
    return is_calm(press(kind, {.rate = rate, .K = K, .guarded = guarded}));
  };
  if (calm(high)) return high;
  for (int n = 0; n < 16; ++n) {  // to a part in 4000
    const double K = std::sqrt(low * high);
    (calm(K) ? low : high) = K;
  }
  return low;
}

std::string row_name(const std::string& words) {
  std::string name = words;
  std::ranges::replace(name, ' ', '_');
  std::erase(name, ',');
  return name;
}

std::vector<Row> stability() {
  const std::vector<double> rates{500, 1000, 2000, 5000, 10000};
  const std::vector<std::pair<Kind, std::string>> kinds{{Kind::plain, "no coupling"},
                                                        {Kind::still, "static"},
                                                        {Kind::damped, "static, damped"},
                                                        {Kind::moving, "dynamic"},
                                                        {Kind::coupled, "coupled"}};
  std::vector<Curve> curves;
  std::vector<Row> rows;
  const OperatorSpec spec = arm(0);
  const auto sweep = [&](Kind kind, const std::string& name, bool guarded) {
    Curve curve{.name = name, .x = rates, .y = {}, .markers = true};
    for (const double rate : rates) {
      curve.y.push_back(stiffest(kind, rate, guarded));
      rows.push_back({.name = row_name(name) + "." + fmt::format("{:g}hz", rate),
                      .value = curve.y.back(),
                      .unit = "N/m",
                      .criterion = "reported",
                      .pass = true});
    }
    curves.push_back(std::move(curve));
  };
  for (const auto& [kind, name] : kinds) sweep(kind, name, false);
  sweep(Kind::damped, "guarded", true);
  // Arm, grip and device damp: K < 2 (b + b_h) / T.
  Curve theory{.name = "2 b / T", .x = rates, .y = {}, .dashed = true};
  for (const double rate : rates) {
    theory.y.push_back(2 * (spec.damping + spec.grip_damping) * rate);
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rows.push_back(at_least(fmt::format("plain_of_theory.{:g}hz", rates[i]),
                            curves[0].y[i] / theory.y[i], 0.8, "", ">= 1 of a passive wall"));
  }
  curves.push_back(std::move(theory));
  // With the guard no stiffness makes the hand swing on, at any rate: by every coupling, and where the
  // force acts late.
  for (const auto& [kind, name] : kinds) {
    for (const int delay : {0, 1, 3}) {
      double swing = 0;
      for (const double rate : rates) {
        for (double K = 1e3; K <= 1e7; K *= 10) {
          const Loop loop{.rate = rate, .K = K, .delay = delay, .guarded = true};
          swing = std::max(swing, press(kind, loop).late);
        }
      }
      rows.push_back(at_most(fmt::format("guarded_swing.{}.{}_late", row_name(name), delay), swing,
                             0.1, "m/s"));
    }
  }
  write_plot({.title = "The stiffest wall that a simulated hand can rest on",
              .x_label = "rate [Hz]",
              .y_label = "stiffness [N/m]",
              .log_x = true,
              .log_y = true,
              .curves = curves},
             "haptics_stability");
  return rows;
}

const Experiments experiments{{.name = "barbic.stiffness_bound", .run = stiffness_bound},
                              {.name = "haptics.stability", .slow = true, .run = stability}};

}  // namespace
}  // namespace pliant::verify
