// The exponential moments of a law, and the measures made of them, certified by directed rounding.
//
//     X = W - w0, w0 the least wealth;    M(beta) = E exp(-beta X),   A(beta) = E X exp(-beta X)
//     entropic(beta) = w0 - ln(M(beta)) / beta
//     EVaR_tau       = sup over l > 0 of f(l),   f(l) = w0 + l ln(tau / M(1/l))            [AJ]
//     f'(l)          = ln(tau / M) - A / (l M)
//
// f is concave in l = 1 / beta (a perspective function), so two tangents bound it from above: the search
// may go by doubles, for what it finds is proved afterwards. If P(W = w0) >= tau, f falls from l = 0 on, and
// the answer is w0.
#pragma once

#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "measures/law.hpp"
#include "numbers/enclosure.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class TiltedLaw {
 public:
  // The least wealth must be finite. Infinity adds nothing to M and A.
  TiltedLaw(const Law& law, const Limits& limits);

  [[nodiscard]] Enclosure entropic(const Rational& beta) const;
  // 0 < tau < 1.
  [[nodiscard]] Enclosure evar(const Rational& tau) const;

 private:
  struct Atom {
    Enclosure probability;
    Enclosure distance;  // from the least wealth
  };
  struct Moments {
    Enclosure mass;      // M
    Enclosure distance;  // A
  };
  struct Tangent {
    Enclosure value;  // f, less w0
    Enclosure slope;
  };
  [[nodiscard]] Moments moments(const Enclosure& beta) const;
  [[nodiscard]] Tangent tangent(double scale, const Enclosure& log_tau) const;
  [[nodiscard]] double slope_in_doubles(double scale, double log_tau) const;
  [[nodiscard]] double best_scale(double log_tau) const;
  // f at its greatest, less w0; or nothing where no tangents close it in.
  [[nodiscard]] std::optional<Enclosure> greatest_near(double scale,
                                                       double spread,
                                                       const Enclosure& log_tau) const;

  const Limits& limits_;
  Rational least_;
  Rational least_probability_;
  bool is_bounded_;                    // there is no infinity
  Rational sum_;                       // E X of the finite wealths
  Rational range_;                     // of the same
  std::vector<Atom> atoms_;            // of finite wealth
  std::vector<double> probabilities_;  // the same in doubles
  std::vector<double> distances_;
};

}  // namespace quantiplan
