// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/fem/material.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::fem {

Material from_record(const MaterialRecord& record, Law law) {
  const std::vector<double>& p = record.parameters;
  const auto need_parameters = [&](std::size_t n) {
    if (p.size() < n) {
      throw Error({"", 0, "material " + record.name}, "too few constants", std::to_string(p.size()),
                  std::to_string(n));
    }
  };
  try {
    switch (record.law) {
      case MaterialRecord::Law::isotropic:
        need_parameters(2);
        return isotropic(law, p[0], p[1], record.density);
      case MaterialRecord::Law::orthotropic: {
        need_parameters(9);
        Orthotropic o{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]};
        if (p.size() >= 18) {
          o.R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&p[9]);
        }
        return anisotropic(law, stiffness(o), record.density);
      }
      case MaterialRecord::Law::mooney_rivlin:
        need_parameters(3);
        return mooney_rivlin(p[0], p[1], p[2], record.density);
    }
  } catch (const Error& error) {
    if (!error.place().item.empty()) throw;
    throw Error({"", 0, "material " + record.name}, error.what());
  }
  throw Error("unknown kind of material record");
}

}  // namespace pliant::fem
