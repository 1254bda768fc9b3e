// SPDX-License-Identifier: MIT
#include <Eigen/LU>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/static_coupling.hpp"

namespace pliant {
namespace {

// Some contacts with planes through points of the object.
HeldContact random_contact(Random& random, int contacts) {
  HeldContact sum;
  for (int n = 0; n < contacts; ++n) {
    const auto vector = [&] { return Vector3d(random.normal(), random.normal(), random.normal()); };
    const Vector3d normal = vector().normalized(), r = 0.1 * vector();
    Vector6d J;
    J << normal, r.cross(normal);
    sum.wrench += 0.1 * J;
    sum.gradient -= 1000 * J * J.transpose();
  }
  return sum;
}

bench::Result coupling() {
  Random random(1);
  StaticCouplingSpec spec;
  spec.spring.force.limit = 1.0;
  StaticCoupling coupling(spec, 1e-3, {});
  const HeldContact contact = random_contact(random, 3);
  const Pose hand{{0.01, 0.02, 0.03}, rotation_by({0.2, 0.1, 0})};
  HandForce felt;
  const double own = bench::seconds([&] {
    coupling.reset({});
    felt = coupling.advance(hand, contact);
    bench::keep(&felt);
  });
  // The 6 x 6 solve alone.
  const SpringWrench spring = spring_wrench(spec.spring, {}, hand);
  const double lu = bench::seconds([&] {
    const Matrix6d A = contact.gradient + spring.gradient;
    const Vector6d z = A.partialPivLu().solve(-contact.wrench - spring.wrench);
    bench::keep(&z);
  });
  return {.value = 1e6 * own,
          .reference_value = 1e6 * lu,
          .detail = std::to_string(felt.free_directions) + " free directions"};
}

const bench::Rows rows{{.name = "haptics.coupling",
                        .unit = "us",
                        .published = "30 us",
                        .reference = "6 x 6 LU alone",
                        .target = {.at_most = 6.0},
                        .run = coupling}};

}  // namespace
}  // namespace pliant
