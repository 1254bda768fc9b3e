// SPDX-License-Identifier: MIT
#include "pliant/fem/kernels.hpp"

namespace pliant::fem {

KernelSet corotational_kernels(GeometryKind kind) {
  return kernels<CorotationalLaw>(kind);
}

}  // namespace pliant::fem
