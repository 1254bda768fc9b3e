// SPDX-License-Identifier: MIT
// Modified nested dissection [Zhuang00] 4.1.1: fill-reducing orders of the nodes of any mesh, from
// its geometry. A plane cuts the nodes into left and right; a separator, the nodes
// without which no element joins the two, is ordered last, and the two sides in the same way.
//
// X is 3 by n (rest positions), E k by #E (nodes of each element, of any kind; -1 stands for a
// fixed node, which is no unknown). The result p is a permutation of the n nodes, p[k] the node
// that comes k-th. For three unknowns a node: expand_permutation(p, 3), with Ordering::given.
// Throws Error for a coordinate that is not finite or a node that does not exist.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// [Zhuang00] 4.1.1.1: the separator is all nodes of the elements that the plane cuts. The plane
// goes through the median of the centroids, along the axis with the fewest elements cut.
VectorXi simple_nested_dissection(const Matrix3Xd& X, const MatrixXi& E);

// [Zhuang00] 4.1.1.2: the separator is a minimum vertex cover of the edges that cross the plane.
// Beyond the paper: the plane is the best of several near the median, across the axes or, in a
// second run, also across the diagonals, by an estimate of the fill; a topological sweep then moves
// the separator to where the mesh is thinner; small parts are ordered by minimum deficiency. Of the
// two runs the one with less fill is taken.
VectorXi nested_dissection(const Matrix3Xd& X, const MatrixXi& E);

}  // namespace pliant
