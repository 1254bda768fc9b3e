// SPDX-License-Identifier: MIT
#include "verify/plot.hpp"

#include <filesystem>

#include "pliant/base/file.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {

void write_plot(const Plot& plot, const std::string& name) {
  if (figure_folder().empty()) return;
  AtomicFile file(std::filesystem::path(figure_folder()) / (name + ".svg"));
  file.write(svg_of(plot));
  file.commit();
}

}  // namespace pliant::verify
