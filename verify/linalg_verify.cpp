// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "verify/verify.hpp"
#include "verify/zhuang_grids.hpp"

namespace pliant {
namespace {

// Tables 4.1 and 4.2 of [Zhuang00]: fill of the orders on each grid, beside the printed figures.
// In the place of their times, which a machine of 1992 gave, stand the operations.
std::vector<verify::Row> ordering() {
  std::vector<verify::Row> rows;
  int same_nnz = 0, less_than_minimum_degree = 0;
  double worst_to_metis = 0.0, simple_to_printed = 0.0;
  for (std::size_t g = 0; g < verify::zhuang_grids.size(); ++g) {
    const verify::ZhuangGrid& grid = verify::zhuang_grids[g];
    const test::ElasticGrid mesh = test::elastic_grid(grid.n1, grid.n2, grid.n3, 1.0, true);
    const int held = 3 * grid.n2 * grid.n3;
    same_nnz += mesh.K.rows() + held == grid.n && mesh.K.nonZeros() + held == grid.nnz;
    std::vector<CholeskyStatistics> statistics;
    for (const auto& order : verify::compared_orderings(mesh.X, mesh.E)) {
      Cholesky solver;
      solver.analyse(mesh.K, order.options);
      statistics.push_back(solver.statistics());
    }
    const auto fill = [&](std::size_t k) { return static_cast<double>(statistics[k].fill()); };
    const double natural = fill(0), degree = fill(1), metis = fill(2), simple = fill(3),
                 ours = fill(4);
    less_than_minimum_degree += ours < degree;
    simple_to_printed += std::log(simple / grid.fill[1]) / 18.0;
    worst_to_metis = std::max(worst_to_metis, ours / metis);
    const std::string name = fmt::format("grid{:02}", g + 1);
    rows.push_back({name + ".fill", fmt::format("{}", grid.fill[2]), ours, "entries",
                    fmt::format("<= 1.05 METIS ({:.0f})", metis), ours <= 1.05 * metis});
    rows.push_back({name + ".fill_minimum_degree", fmt::format("{}", grid.fill[0]), degree,
                    "entries", fmt::format("less than natural ({:.0f})", natural),
                    degree < natural});
    rows.push_back({name + ".fill_simple", fmt::format("{}", grid.fill[1]), simple, "entries",
                    fmt::format(">= the improved ({:.0f})", ours), simple >= ours});
    rows.push_back({name + ".flops_to_minimum_degree",
                    fmt::format("{:.2f} (of time)", grid.seconds[2] / grid.seconds[0]),
                    statistics[4].flops / statistics[1].flops, "", "<= 1",
                    statistics[4].flops <= statistics[1].flops});
  }
  rows.push_back(verify::at_least("grids_with_printed_nnz", same_nnz, 18.0, "of 18", "18"));
  rows.push_back(verify::at_least("less_fill_than_minimum_degree", less_than_minimum_degree, 17.0,
                                  "of 18", "17"));
  rows.push_back(verify::at_most("worst_fill_to_metis", worst_to_metis, 1.05, "", "< 1"));
  rows.push_back(
      verify::at_most("mean_simple_fill_to_printed", std::exp(simple_to_printed), 1.1, "", "1"));
  return rows;
}

const verify::Experiments experiments{{.name = "zhuang.ordering", .slow = true, .run = ordering}};

}  // namespace
}  // namespace pliant
