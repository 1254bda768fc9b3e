// SPDX-License-Identifier: MIT
// What a user says of a reduced body: how its basis and its forces are made, and how it is run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/reduced/reduced_settings.hpp"

namespace pliant {

struct CubatureSpec {
  double tolerance = 0.01;  // relative error of the reduced force on the training poses
  int max_points = 600;
};

struct ReducedSpec {
  static constexpr const char* engine = "reduced";
  static constexpr bool needs_volume = true;

  enum class Basis { modes, derivatives, sketch, file };
  enum class Forces { automatic, polynomial, cubature };
  Basis basis = Basis::derivatives;
  std::filesystem::path basis_file;  // the sketch's loads or the shapes; empty for other bases
  int k = 20;                        // linear modes
  int r = 15;                        // columns of the basis U
  double amplitude = 0.05;           // how far it is bent: ModalWeights of mass_pca.hpp
  // Of the quality loads' mean error: the fewest shapes that meet it, at most r, of k modes or, if
  // they do not suffice, more. Absent: k and r as they are.
  std::optional<double> tolerance;
  Forces forces = Forces::automatic;  // polynomials for linear and stvk materials, else cubature
  CubatureSpec cubature;
  ReducedSettings run;

  // What suits a mesh that was just brought along.
  static ReducedSpec for_mesh();
  static constexpr const char* text_for_mesh = "a few shapes, 1000 steps a second";
  // The shapes are those that the forces in a file bend the body into: r of them at most.
  void take_sketch(const std::filesystem::path& file, int shapes);
  std::string words() const;

  std::vector<std::filesystem::path> input_files() const {
    if (basis_file.empty()) return {};
    return {basis_file};
  }
};

const table::Table<ReducedSpec>& reduced_spec_table();

}  // namespace pliant
