// SPDX-License-Identifier: MIT
#include "pliant/fem/kernels.hpp"

namespace pliant::fem {

KernelSet strain_kernels(bool green, bool isotropic, GeometryKind kind) {
  if (green) return isotropic ? kernels<StvkLaw>(kind) : kernels<StvkAnisotropicLaw>(kind);
  return isotropic ? kernels<LinearLaw>(kind) : kernels<LinearAnisotropicLaw>(kind);
}

}  // namespace pliant::fem
