// SPDX-License-Identifier: MIT
// Thins samples so that no two are closer than a given distance, [Barbic07] 2.8.2: a greedy removal
// of samples that are too close to another, the one with the highest local density first; density
// is the sum of the radial kernel exp(-(d / separation)^2) over all samples left. At last, samples
// whose near neighbours were all removed later come back: so every sample that is left out has a
// kept one within the separation.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// C: one sample a column, Euclidean distance. The first `locked` ones stay in any case. Returns the
// indices of the samples kept, ascending. O(n^2) of time, O(n) of memory.
std::vector<int> thin(const MatrixXd& C, double separation, int locked = 0);

}  // namespace pliant
