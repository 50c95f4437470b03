#include "check/finite/index_reach.hpp"

#include <algorithm>

#include "check/finite/index_recursion.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostValues = 20'000'000;  // of one layer, 16 bytes each

template <class Choices>
class Reaching {
 public:
  Reaching(IndexProblem& problem,
           Choices& choices,
           std::uint64_t most_products,
           CheckLimits& limits)
      : problem_(problem),
        choices_(choices),
        most_products_(most_products),
        limits_(limits),
        windows_(problem, limits) {}

  // `claim` may be null: then only the demand matters.
  Reach run(const Demand& demand, const CountedClaim* claim) {
    reach_.extent = windows_.find(choices_);
    if (reach_.extent != Extent::fits) return reach_;
    if (choices_.is_unclear()) reach_.extent = Extent::too_large;
    if (reach_.extent != Extent::fits) return reach_;
    if (const auto decided = windows_.decided_at_start()) {
      const Rational known = *decided ? 1 : 0;
      reach_.bounds = {known, known};
      reach_.met = demand.met_by(known);
      return reach_;
    }
    const Model& model = problem_.model();
    long double rough = 0;
    const std::uint64_t products = value(LongMix(model), rough);
    reach_.bounds = bounds_of(rough, problem_.ends().sums() + 1, problem_.ends().most_terms(model));
    reach_.met = demand.met_by(reach_.bounds);
    // Sums of probabilities do not know that they are 0 or 1.
    confirm_facts(demand, claim);
    const bool is_open = reach_.met == Verdict::open ||
                         (claim != nullptr && claim->is_reached_by(reach_.bounds.low) !=
                                                  claim->is_reached_by(reach_.bounds.high));
    if (is_open && products <= kMostExactProducts) {
      Rational exact;
      value(RationalMix(model), exact);
      reach_.bounds = {exact, exact};
      reach_.met = demand.met_by(exact);
    }
    return reach_;
  }

 private:
  // The products it took. Where one recursion does not come to its end, none follows.
  template <class Mix>
  std::uint64_t value(Mix mix, typename Mix::Value& result) {
    if (reach_.extent != Extent::fits) return 0;
    IndexRecursion<Choices, Mix> recursion(
        problem_, windows_, choices_, std::move(mix), {most_products_, kMostValues}, limits_);
    reach_.extent = recursion.run(result);
    reach_.places = std::max(reach_.places, recursion.places());
    return recursion.products();
  }

  void confirm_facts(const Demand& demand, const CountedClaim* claim) {
    const bool demands_certainty = demand.theta == 1 && demand.side == Side::upper;
    const bool asks_certainty = demands_certainty || (claim != nullptr && claim->nearest == 1);
    if (asks_certainty) {
      unsigned char certain = 0;
      value(FactMix<true>(), certain);
      if (certain == 1) reach_.bounds = {1, 1};
      if (demands_certainty) reach_.met = certain == 1 ? Verdict::yes : Verdict::no;
    }
    if (demand.theta == 0 && demand.side == Side::lower) {
      unsigned char possible = 0;
      value(FactMix<false>(), possible);
      if (possible == 0) reach_.bounds = {0, 0};
      reach_.met = possible == 1 ? Verdict::yes : Verdict::no;
    }
  }

  IndexProblem& problem_;
  Choices& choices_;
  std::uint64_t most_products_;
  CheckLimits& limits_;
  IndexWindows windows_;
  Reach reach_;
};

}  // namespace

Reach reach_of(IndexProblem& problem,
               IndexCourse& course,
               const CountedClaim& claim,
               CheckLimits& limits) {
  return Reaching(problem, course, kMostProducts, limits).run(claim.demand, &claim);
}

Reach best_reach_of(IndexProblem& problem,
                    const Demand& demand,
                    std::uint64_t most_products,
                    CheckLimits& limits) {
  AllChoices choices(problem.model());
  return Reaching(problem, choices, most_products, limits).run(demand, nullptr);
}

}  // namespace quantiplan::checking
