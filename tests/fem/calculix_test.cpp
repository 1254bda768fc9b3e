// SPDX-License-Identifier: MIT
// An independent judge of the statics: CalculiX (program `ccx`, Debian's calculix-ccx), if it is
// installed. With NLGEOM and *ELASTIC it takes Hooke's law between the Green-Lagrange strain and
// the second Piola-Kirchhoff stress, which is our StVK. Its C3D4 has one point as ours has; its
// C3D8 has 2 x 2 x 2 points where ours has 3 x 3 x 3, which makes a small difference.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/mesh/io/abaqus.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::fem {
namespace {

constexpr double E = 1e7, nu = 0.3, density = 1000;

struct Cantilever {
  VolumeMesh mesh;
  std::vector<int> fixed;
  VectorXd f;
};

// 1 x 0.2 x 0.2 m, held at x = 0, with dead forces down at the nodes of the other end.
Cantilever cantilever(ElementType type, double total) {
  Cantilever c{test::block(type, 12, 3, 3, Vector3d(1, 0.2, 0.2)), {}, {}};
  const int n = c.mesh.vertex_count();
  std::vector<int> tip;
  for (int v = 0; v < n; ++v) {
    if (c.mesh.V(0, v) < 1e-9) c.fixed.push_back(v);
    if (c.mesh.V(0, v) > 1 - 1e-9) tip.push_back(v);
  }
  c.f = VectorXd::Zero(3 * n);
  for (const int v : tip) {
    add_point_load(v, {0, 0, -total / static_cast<double>(tip.size())}, c.f);
  }
  c.mesh.materials = {{"rubber", MaterialRecord::Law::isotropic, density, {E, nu}}};
  c.mesh.regions = {{"body", 0}};
  c.mesh.region = VectorXi::Zero(c.mesh.element_count());
  std::vector<int> all(static_cast<std::size_t>(n));
  for (int v = 0; v < n; ++v) all[static_cast<std::size_t>(v)] = v;
  c.mesh.node_sets = {{"all_nodes", all}, {"held", c.fixed}};
  return c;
}

std::string input_file(const Cantilever& c) {
  std::string text = io::write_abaqus(c.mesh, {});
  text += "*STEP, NLGEOM\n*STATIC\n0.25, 1.\n*BOUNDARY\nheld, 1, 3\n*CLOAD\n";
  for (Index i = 0; i < c.f.size(); ++i) {
    if (c.f[i] != 0) text += fmt::format("{}, {}, {:.17g}\n", i / 3 + 1, i % 3 + 1, c.f[i]);
  }
  // All displacements once, at the end of the step.
  return text + "*NODE PRINT, NSET=all_nodes, FREQUENCY=1000\nU\n*END STEP\n";
}

// The displacements of the last block of a .dat file: lines of a node and three numbers.
VectorXd displacements(const std::filesystem::path& file, Index size) {
  VectorXd u = VectorXd::Constant(size, NAN);
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    int node = 0;
    Vector3d x;
    if (words >> node >> x[0] >> x[1] >> x[2] && node >= 1 && 3 * node <= size) {
      u.segment<3>(3 * (node - 1)) = x;
    }
  }
  return u;
}

class CalculiX : public ::testing::TestWithParam<ElementType> {};

TEST_P(CalculiX, AgreesOnAFarBentCantilever) {
  if (std::system("(command -v ccx && command -v timeout) > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no program ccx (Debian's package calculix-ccx)";
  }
  const Cantilever c = cantilever(GetParam(), 1800);
  const pliant::test::TemporaryFolder folder;
  std::ofstream(folder / "beam.inp") << input_file(c);
  const std::string command = fmt::format(
      "cd '{}' && OMP_NUM_THREADS=1 timeout 60 ccx -i beam > log 2>&1", folder.path().string());
  const int code = std::system(command.c_str());
  const VectorXd theirs = displacements(folder / "beam.dat", c.f.size());
  ASSERT_TRUE(code == 0 && theirs.allFinite())
      << (std::stringstream() << std::ifstream(folder / "log").rdbuf()).str();

  const ElasticModel model(c.mesh, {from_record(c.mesh.materials[0], Law::stvk)});
  const Constraints constraints(c.mesh, c.fixed);
  const VectorXd ours = solve_static(model, constraints, c.f).u;
  const VectorXd linear = solve_linear_static(model, constraints, c.f);
  const auto tip = [&](const VectorXd& u) -> Vector3d { return u.tail<3>(); };
  // Bent far enough that the linear solution is wrong by much more than what is allowed.
  EXPECT_GT(-tip(ours)[2], 0.2);
  EXPECT_GT((tip(linear) - tip(ours)).norm(), 0.05 * tip(ours).norm());
  EXPECT_LT((tip(ours) - tip(theirs)).norm(), 0.005 * tip(ours).norm());
  EXPECT_LT((ours - theirs).norm(), 0.005 * ours.norm());
}

INSTANTIATE_TEST_SUITE_P(Elements, CalculiX,
                         ::testing::Values(ElementType::hex8, ElementType::tet4),
                         [](const auto& info) {
                           return std::string(info.param == ElementType::hex8 ? "C3D8" : "C3D4");
                         });

}  // namespace
}  // namespace pliant::fem
