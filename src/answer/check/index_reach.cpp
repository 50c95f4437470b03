#include "index_reach.hpp"

#include "index_recursion.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostValues = 20'000'000;  // of one layer, 16 bytes each

template <class Choices>
class Reaching {
 public:
  Reaching(IndexProblem& problem, Choices& choices, std::uint64_t most_products, CheckClock& clock)
      : problem_(problem),
        choices_(choices),
        most_products_(most_products),
        clock_(clock),
        windows_(problem, clock) {}

  Reach run(const Demand& demand, const std::optional<Rational>& claimed) {
    reach_.extent = windows_.find(choices_, most_products_);
    if (reach_.extent == Extent::fits && windows_.widest_layer() > kMostValues)
      reach_.extent = Extent::too_large;
    if (reach_.extent != Extent::fits) return reach_;
    reach_.places = windows_.places();
    const NeedWindow& first = windows_.at(0, problem_.initial());
    if (problem_.first() <= first.sure || problem_.first() > first.possible) {
      const Rational known = problem_.first() <= first.sure ? 1 : 0;
      reach_.bounds = {known, known};
      reach_.met = demand.met_by(known);
      return reach_;
    }
    const Model& model = problem_.model();
    const auto rough = value(LongMix(model));
    if (!rough) return ended();
    reach_.bounds = bounds_of(*rough, problem_.horizon(), model.most_outcomes());
    reach_.met = demand.met_by(reach_.bounds);
    // Sums of probabilities do not know that they are 0 or 1.
    if (!confirm_facts(demand, claimed)) return ended();
    const bool is_open = reach_.met == Verdict::open || (claimed && reach_.bounds.low < *claimed &&
                                                         *claimed <= reach_.bounds.high);
    if (is_open && windows_.products() <= kMostExactProducts) {
      const auto exact = value(RationalMix(model));
      if (!exact) return ended();
      reach_.bounds = {*exact, *exact};
      reach_.met = demand.met_by(*exact);
    }
    return reach_;
  }

 private:
  template <class Mix>
  std::optional<typename Mix::Value> value(Mix mix) {
    return IndexRecursion<Choices, Mix>(problem_, windows_, choices_, std::move(mix), clock_).run();
  }

  bool confirm_facts(const Demand& demand, const std::optional<Rational>& claimed) {
    const bool asks_certainty = demand.theta == 1 || (claimed && *claimed == 1);
    if (asks_certainty) {
      const auto certain = value(FactMix<true>());
      if (!certain) return false;
      if (*certain == 1) reach_.bounds = {1, 1};
      if (demand.theta == 1) reach_.met = *certain == 1 ? Verdict::yes : Verdict::no;
    }
    if (demand.theta == 0) {
      const auto possible = value(FactMix<false>());
      if (!possible) return false;
      if (*possible == 0) reach_.bounds = {0, 0};
      reach_.met = *possible == 1 ? Verdict::yes : Verdict::no;
    }
    return true;
  }

  Reach ended() {
    reach_.extent = Extent::ended;
    return reach_;
  }

  IndexProblem& problem_;
  Choices& choices_;
  std::uint64_t most_products_;
  CheckClock& clock_;
  IndexWindows windows_;
  Reach reach_;
};

}  // namespace

Reach reach_of(IndexProblem& problem,
               PolicyChoices& choices,
               const Demand& demand,
               const std::optional<Rational>& claimed,
               CheckClock& clock) {
  return Reaching(problem, choices, kMostProducts, clock).run(demand, claimed);
}

Reach best_reach_of(IndexProblem& problem,
                    const Demand& demand,
                    std::uint64_t most_products,
                    CheckClock& clock) {
  AllChoices choices;
  return Reaching(problem, choices, most_products, clock).run(demand, std::nullopt);
}

}  // namespace quantiplan::checking
