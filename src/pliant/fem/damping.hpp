// SPDX-License-Identifier: MIT
#pragma once

namespace pliant {

// Rayleigh damping D = alpha M + beta K(u). [Barbic07] 2.7
struct Damping {
  double alpha = 0.0;  // 1/s
  double beta = 0.0;   // s
};

}  // namespace pliant
