// EVaR by a branch and bound over beta that proves what it finds.
//
//     f(beta) = h(beta) + ln(tau) / beta,   h the best entropic value, which never grows with beta
//     on [b1, b2], l = 1 / beta from l2 to l1, m a total that none lies below:
//         h <= h(b1)                                     it never grows
//         h <= m + (l / l2) (h(b2) - m)                  each policy's value is concave in l, and >= m at 0
//
//     h |        ______ h(b1)     f is at most the greater of the two vertices, l2 and where the two meet,
//       |      /                  less their l ln(1/tau)
//     m |____/__|________ l
//            0  l2
//
// beta below ln(1/tau) / (E* - worst) cannot win; beyond the last beta, f is at most h there, and as beta grows
// h falls to the best worst case, which is a candidate as well, attained at no beta.
#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "markov/entropic_search.hpp"
#include "markov/markov_call.hpp"
#include "markov/markov_optimum.hpp"
#include "numbers/directed.hpp"
#include "numbers/enclosure.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kMostPasses = 5000;

class EvarSearch {
 public:
  EvarSearch(MarkovCall& call, const Rational& tau)
      : call_(call),
        log_tau_(log(Enclosure(tau))),
        entropic_(call.reachable, call.epsilon / 4, call.is_exact, call.limits),
        worst_(recursive_value(call.reachable,
                               {StepMeasure::Kind::worst, 0},
                               call.epsilon / 8,
                               call.is_exact,
                               call.limits)) {}

  MarkovOptimum run() {
    if (worst_.is_missed) return call_.of(worst_);
    best_ = worst_.lower();
    best_decisions_ = std::move(worst_.decisions);
    bound_ = entropic_.mean().upper();
    try {
      if (bound_ - best_ > call_.epsilon) search();
    } catch (const MarkovPassEnded&) {  // what was found before stands
    }
    return answer();
  }

 private:
  struct Span {
    Rational upper;  // of f, between the two
    Rational from;
    std::optional<Rational> to;  // absent: infinity
    friend bool operator<(const Span& a, const Span& b) { return a.upper < b.upper; }
  };

  void search() {
    least_total_ = least_total(call_.reachable, call_.limits);
    const Rational gap = bound_ - best_;
    const double first = round_down(Rational(-log_tau_.upper_exactly() / gap));
    add_beta(Rational(std::max(first, 0x1p-1000)));
    spans_.push(span(Rational(std::max(first, 0x1p-1000)), std::nullopt));
    while (entropic_.passes() < kMostPasses) {
      const Span widest = spans_.top();
      bound_ = std::max(best_, std::min(bound_, widest.upper));
      if (bound_ - best_ <= call_.epsilon) return;
      const std::optional<Rational> middle = between(widest);
      if (!middle) return;
      add_beta(*middle);
      spans_.pop();
      spans_.push(span(widest.from, middle));
      spans_.push(span(*middle, widest.to));
    }
  }

  // The geometric mean; beyond the last, four times as far. Nothing where doubles have none.
  [[nodiscard]] std::optional<Rational> between(const Span& span) const {
    const double from = to_nearest_double(span.from);
    const double to = span.to ? to_nearest_double(*span.to) : 16 * from;
    const Rational middle(std::sqrt(from) * std::sqrt(to));
    if (middle <= span.from || (span.to && middle >= *span.to)) return std::nullopt;
    if (middle > entropic_.greatest_beta()) return std::nullopt;
    return middle;
  }

  void add_beta(const Rational& beta) {
    MarkovDecisions decisions;
    const EntropicValue value = entropic_.at(beta, &decisions);
    values_[beta] = value.upper;
    const Rational found = value.lower + log_tau_.lower_exactly() / beta;
    if (found <= best_) return;
    best_ = found;
    best_beta_ = beta;
    best_decisions_ = std::move(decisions);
  }

  [[nodiscard]] Span span(const Rational& from, const std::optional<Rational>& to) const {
    const Rational& high = values_.at(from);
    if (!to) return {high, from, to};
    const Rational& low = values_.at(*to);
    const Rational log_tau = log_tau_.upper_exactly();
    const Rational l2 = 1 / *to;
    Rational meet = l2;
    if (low > least_total_) {
      meet = std::max(l2, Rational(l2 * (high - least_total_) / (low - least_total_)));
      meet = std::min(meet, Rational(1 / from));
    }
    const Rational upper = std::max(Rational(low + l2 * log_tau), Rational(high + meet * log_tau));
    return {Rational(round_up(upper)), from, to};
  }

  // With the policy that has at least the lower end, whatever ended the search.
  [[nodiscard]] MarkovOptimum answer() {
    MarkovOptimum optimum;
    optimum.lower = Total(best_);
    optimum.upper = Total(std::max(best_, bound_));
    optimum.beta = best_beta_;
    optimum.passes = entropic_.passes() + 1;
    optimum.policy = call_.policy(std::move(best_decisions_));
    call_.set_status(optimum);
    return optimum;
  }

  MarkovCall& call_;
  Enclosure log_tau_;
  EntropicSearch entropic_;
  RecursiveValue worst_;
  Rational least_total_;
  Rational best_;
  Rational bound_;
  std::optional<Rational> best_beta_;  // none: the best worst case
  MarkovDecisions best_decisions_;
  std::map<Rational, Rational> values_;  // beta -> an upper bound of h
  std::priority_queue<Span> spans_;
};

}  // namespace

MarkovOptimum evar_optimum(const Model& model,
                           const ResolvedSetting& setting,
                           const Rational& tau,
                           const std::optional<Rational>& epsilon,
                           const Options& options) {
  if (setting.adversarial) {
    throw Error(ErrorCode::refused,
                "evar",
                "found an adversary, expected none: the least EVaR of all policies is the least of "
                "a greatest, which no single pass finds");
  }
  // At its ends it is the best worst case, and the expectation.
  if (tau <= 0 || tau >= 1) return nested_cvar_optimum(model, setting, tau, epsilon, options);
  MarkovCall call(model, setting, "evar", epsilon, options, 4);
  try {
    return EvarSearch(call, tau).run();
  } catch (const MarkovPassEnded&) {
    return call.nothing_known();
  }
}

}  // namespace quantiplan
