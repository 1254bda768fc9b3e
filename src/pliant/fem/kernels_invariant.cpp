// SPDX-License-Identifier: MIT
#include "pliant/fem/kernels.hpp"

namespace pliant::fem {

KernelSet neo_hookean_kernels(GeometryKind kind) {
  return kernels<NeoHookeanLaw>(kind);
}
KernelSet stable_neo_hookean_kernels(GeometryKind kind) {
  return kernels<StableNeoHookeanLaw>(kind);
}
KernelSet mooney_rivlin_kernels(GeometryKind kind) {
  return kernels<MooneyRivlinLaw>(kind);
}

}  // namespace pliant::fem
