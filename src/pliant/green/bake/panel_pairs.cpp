// SPDX-License-Identifier: MIT
#include "pliant/green/bake/panel_pairs.hpp"

#include <cmath>

#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

struct GaussRule {
  VectorXd x, weight;  // on 0 to 1
};

// Golub and Welsch.
GaussRule gauss(int order) {
  MatrixXd J = MatrixXd::Zero(order, order);
  for (int k = 1; k < order; ++k) {
    J(k, k - 1) = J(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  }
  const DenseEigen found = symmetric_eigen(J);
  return {0.5 * (found.values.array() + 1), found.vectors.row(0).transpose().cwiseAbs2()};
}

class Points {
 public:
  explicit Points(std::vector<PairPoint>& out) : out_(out) {}
  double scale = 0;  // weight of the point of the four-dimensional rule

  void add(double x1, double x2, double y1, double y2, double jacobian) {
    out_.push_back({{1 - x1, x1 - x2, x2}, {1 - y1, y1 - y2, y2}, 4 * scale * jacobian});
  }

 private:
  std::vector<PairPoint>& out_;
};

}  // namespace

std::vector<PairPoint> panel_pair_rule(PanelPair kind, int order) {
  const GaussRule rule = gauss(order);
  std::vector<PairPoint> out;
  Points p(out);
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < order; ++j) {
      for (int k = 0; k < order; ++k) {
        for (int l = 0; l < order; ++l) {
          const double s = rule.x[i], a = rule.x[j], b = rule.x[k], c = rule.x[l];
          p.scale = rule.weight[i] * rule.weight[j] * rule.weight[k] * rule.weight[l];
          switch (kind) {
            case PanelPair::apart:
              p.add(s, s * a, b, b * c, s * b);
              break;
            case PanelPair::corner: {  // 5.2.3
              const double w = s * s * s * b;
              p.add(s, s * a, s * b, s * b * c, w);
              p.add(s * b, s * b * c, s, s * a, w);
              break;
            }
            case PanelPair::edge: {  // 5.2.2
              const double w = s * s * s * a * a;
              p.add(s, s * a * c, s * (1 - a * b), s * a * (1 - b), w);
              p.add(s, s * a, s * (1 - a * b * c), s * a * b * (1 - c), w * b);
              p.add(s * (1 - a * b), s * a * (1 - b), s, s * a * b * c, w * b);
              p.add(s * (1 - a * b * c), s * a * b * (1 - c), s, s * a, w * b);
              p.add(s * (1 - a * b * c), s * a * (1 - b * c), s, s * a * b, w * b);
              break;
            }
            case PanelPair::same: {  // 5.2.1
              const double w = s * s * s * a * a * b;
              p.add(s, s * (1 - a + a * b), s * (1 - a * b * c), s * (1 - a), w);
              p.add(s * (1 - a * b * c), s * (1 - a), s, s * (1 - a + a * b), w);
              p.add(s, s * a * (1 - b + b * c), s * (1 - a * b), s * a * (1 - b), w);
              p.add(s * (1 - a * b), s * a * (1 - b), s, s * a * (1 - b + b * c), w);
              p.add(s * (1 - a * b * c), s * a * (1 - b * c), s, s * a * (1 - b), w);
              p.add(s, s * a * (1 - b), s * (1 - a * b * c), s * a * (1 - b * c), w);
              break;
            }
          }
        }
      }
    }
  }
  return out;
}

}  // namespace pliant
