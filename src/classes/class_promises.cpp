#include "classes/class_promises.hpp"

#include <algorithm>
#include <map>

#include "classes/forward_pass.hpp"
#include "classes/node_policy.hpp"
#include "promise/promise_search.hpp"
#include "promise/wanted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

std::uint32_t class_of_result(const Result& result) {
  return static_cast<std::uint32_t>(result.quantile->position() - 1);
}

// One promised class under many aims: the only target of promises that differ in tau and side.
class ClassOracle : public HullOracle {
 public:
  ClassOracle(std::shared_ptr<const Expansion> expansion, PromisedClass promised)
      : expansion_(std::move(expansion)), promised_(std::move(promised)) {}

  [[nodiscard]] const PromisedClass& promised() const { return promised_; }

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override {
    const auto prospect = run(ClassAim{aim}, limits, work);
    if (!prospect) return std::nullopt;
    return std::vector<Prospect>{*prospect};
  }
  std::optional<Prospect> run(const ClassAim& aim, Limits& limits, Work& work) const {
    const auto worth = promised_pass(*expansion_, promised_, aim, limits);
    if (!worth) return std::nullopt;
    ++work.passes;
    work.exact_nodes += expansion_->nodes;
    return promised_.prospect(aim.aim, *worth);
  }

  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;  // is that of the prospect
  }
  [[nodiscard]] Rational rounded(const Rational& weight) const override { return weight; }

  [[nodiscard]] Policy policy(const ClassAim& aim,
                              const ResolvedSetting& setting,
                              Limits& limits) const {
    NodeChoices choices;
    promised_pass(*expansion_, promised_, aim, limits, &choices);
    if (limits.ended()) refuse_unfinished("policy");
    return policy_of_nodes(*expansion_, setting, choices);
  }

 private:
  std::shared_ptr<const Expansion> expansion_;
  PromisedClass promised_;
};

class ClassPromises {
 public:
  ClassPromises(const ClassPromisesInput& input,
                const Wishes& wishes,
                Limits& limits,
                FoundQuantiles& answer)
      : in_(input), wishes_(wishes), limits_(limits), answer_(answer) {
    for (FoundQuantile& each : answer.results)
      if (each.result.policy) promised_[class_of_result(each.result)].push_back(&each);
  }

  void run() {
    if (promised_.empty() || !has_objective() || !has_expansion()) return;
    for (const auto& [k, results] : promised_) {
      if (limits_.ended()) break;
      improve(k, results);
    }
    if (by_mean() && limits_.ended())
      answer_.engine.left_out = best_mean_left_out(
          "the search for it was cut short, so its bound may be missing, or wider than it need be");
  }

 private:
  [[nodiscard]] bool by_classes() const { return wishes_.prefer == Prefer::classes; }
  [[nodiscard]] bool by_mean() const {
    return wishes_.prefer == Prefer::automatic || wishes_.prefer == Prefer::mean;
  }

  // False where wealth is no number, though the mean is what would count.
  bool has_objective() {
    if (by_classes()) return true;
    for (std::size_t k = 1; k <= in_.classes->size(); ++k) {
      const auto number = in_.classes->number(k);
      if (number && number->is_finite()) {
        numbers_.push_back(number->value());
        continue;
      }
      if (wishes_.prefer == Prefer::mean)
        throw Error(ErrorCode::refused,
                    "--prefer",
                    "found mean where wealth is no number; expected probability or classes");
      return false;
    }
    return true;
  }

  // False, with the reason, if it would be too large.
  bool has_expansion() {
    const std::uint64_t worths = by_classes() ? in_.classes->size() : 1;
    const std::uint64_t most =
        (is_asked_for() ? kMostExactProducts : kSmallExactPass) / (worths * promised_.size());
    expansion_ = in_.expansion;
    bool fits = true;
    try {
      if (expansion_ == nullptr) {
        auto made = expand(in_.model, in_.setting, in_.structure, limits_, most);
        if (made) expansion_ = std::make_shared<const Expansion>(*std::move(made));
      }
    } catch (const Error& error) {
      // The answer itself is there: it must not be lost because a limit ends the search.
      if (error.code() != ErrorCode::refused) throw;
      fits = false;
    }
    if (expansion_ != nullptr && expansion_->arcs <= most) {
      if (has_room(worths + 1)) return true;
      fits = false;
    }
    if (!limits_.ended()) leave_out(fits);
    return false;
  }
  [[nodiscard]] bool is_asked_for() const { return wishes_.prefer != Prefer::automatic; }
  // `fits`: it is the work that is too much, not the memory.
  void leave_out(bool fits) const {
    if (by_classes())
      throw Error(ErrorCode::refused,
                  "--prefer",
                  std::string("found classes where a pass for it ") +
                      (fits ? "has too many products of rationals; expected a shorter --horizon, "
                            : "does not fit the memory; expected a larger --memory-limit, ") +
                      "or probability");
    if (!by_mean()) return;
    answer_.engine.left_out = best_mean_left_out(
        !fits ? "a pass for it does not fit the memory; expected a larger --memory-limit"
        : is_asked_for()
            ? "too much for rationals; expected a shorter --horizon"
            : "a pass for it has many products of rationals; --prefer mean asks for it");
  }
  // For the worths of two layers.
  [[nodiscard]] bool has_room(std::uint64_t worths) const {
    constexpr std::uint64_t kBytesPerWorth = 100;  // rationals of moderate size
    std::uint64_t widest = 0;
    for (const Expansion::Layer& layer : expansion_->layers)
      widest = std::max<std::uint64_t>(widest, layer.size());
    return limits_.would_fit(2 * widest * worths * kBytesPerWorth + 4 * expansion_->nodes);
  }

  void improve(std::uint32_t k, const std::vector<FoundQuantile*>& results) {
    const auto promised = by_classes() ? PromisedClass::for_classes(
                                             k, static_cast<std::uint32_t>(in_.classes->size()))
                                       : PromisedClass::for_mean(k, numbers_);
    if (!promised) {
      // There is nothing else to be had: the greatest probability is it.
      for (FoundQuantile* each : results) each->result.prefer = Prefer::classes;
      return;
    }
    const auto oracle = std::make_shared<ClassOracle>(expansion_, *promised);
    std::vector<Promise> promises;
    promises.reserve(results.size());
    for (const FoundQuantile* each : results)
      promises.push_back({1 - each->result.tau, each->result.side, std::nullopt});
    const auto found = search_promises({*oracle,
                                        nullptr,
                                        wishes_.mean_gap.value_or(Rational(0)),
                                        wishes_.prefer != Prefer::probability},
                                       promises,
                                       limits_,
                                       answer_.work);
    const ClassAim in_order{Aim::weighted(0), true};
    const auto ordered = by_classes() ? oracle->run(in_order, limits_, answer_.work) : std::nullopt;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!found[i].kept) continue;
      // Where the promise asks for nothing, the whole order counts.
      if (ordered && certainly_keeps(promises[i], *ordered))
        put(oracle, in_order, *ordered, found[i], *results[i]);
      else
        put(oracle, {found[i].kept->aim}, found[i].kept->at, found[i], *results[i]);
    }
  }

  void put(const std::shared_ptr<ClassOracle>& oracle,
           const ClassAim& aim,
           const Prospect& at,
           const PromiseFound& found,
           FoundQuantile& out) const {
    Result& result = out.result;
    out.own = at.probability;
    result.probability = at.probability;
    result.policy = [oracle, aim, setting = in_.setting, kept = for_later(in_.options)] {
      const LaterWork later(kept);
      Limits limits(later.options());
      return oracle->policy(aim, setting, limits);
    };
    if (!by_classes()) result.mean = Value::exactly(at.mean);
    if (wishes_.prefer == Prefer::probability || !found.bound) return;
    result.prefer = by_classes() ? Prefer::classes : Prefer::mean;
    if (by_classes()) {
      result.next_class = NextClass{Level(in_.classes, oracle->promised().next_class() + 1UL),
                                    Value::exactly(at.mean),
                                    Value::exactly(*found.bound)};
      return;
    }
    result.mean_bound = Value::exactly(*found.bound);
    result.mean_weight = found.weight;
  }

  const ClassPromisesInput& in_;
  const Wishes& wishes_;
  Limits& limits_;
  FoundQuantiles& answer_;
  std::map<std::uint32_t, std::vector<FoundQuantile*>> promised_;  // by class
  std::vector<Rational> numbers_;                                  // of each class
  std::shared_ptr<const Expansion> expansion_;
};

}  // namespace

void prefer_classes(const ClassPromisesInput& input,
                    const Wishes& wishes,
                    Limits& limits,
                    FoundQuantiles& answer) {
  if (!wants_better_policies(wishes) || limits.ended()) return;
  ClassPromises(input, wishes, limits, answer).run();
}

}  // namespace quantiplan
