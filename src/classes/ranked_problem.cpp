// The single pass over what is still to come: no wealth in the state.
#include <algorithm>

#include "classes/preference_problem.hpp"
#include "classes/ranked_pass.hpp"
#include "classes/wealth_rule_maker.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

class RankedProblem final : public PreferenceProblem {
 public:
  RankedProblem(const Model& model,
                const ResolvedSetting& setting,
                std::shared_ptr<Structure> structure)
      : model_(model), setting_(setting), structure_(std::move(structure)) {}

  // The pass in doubles finds the classes, too.
  bool lay_out(Limits& limits) override {
    ++passes_;
    real_ = ranked_pass<Real>(model_, setting_, *structure_, limits);
    return real_.has_value();
  }
  [[nodiscard]] std::vector<WealthId> classes() const override { return real_->classes; }
  std::optional<std::vector<double>> chances(std::span<const std::uint32_t> classes,
                                             Limits& /*limits*/) override {
    std::vector<double> out;
    for (const std::uint32_t k : classes) out.push_back(real_->chance[k]);
    return out;
  }
  std::optional<Rational> exact_chance(std::uint32_t k, Limits& limits) override {
    if (!known(exact_, limits)) return std::nullopt;
    return exact_->chance[k];
  }
  std::optional<bool> is_sure(std::uint32_t k, Limits& limits) override {
    if (!known(sure_, limits)) return std::nullopt;
    return sure_->chance[k] != 0;
  }
  std::optional<bool> is_possible(std::uint32_t k, Limits& limits) override {
    if (!known(possible_, limits)) return std::nullopt;
    return possible_->chance[k] != 0;
  }

  Policy policy(std::uint32_t k, PreferenceMethod method, Limits& limits) override {
    RankedRecord record;
    switch (method) {
      case PreferenceMethod::real:
        ranked_pass<Real>(model_, setting_, *structure_, limits, &record);
        break;
      case PreferenceMethod::exact:
        ranked_pass<Exact>(model_, setting_, *structure_, limits, &record);
        break;
      case PreferenceMethod::sure:
        ranked_pass<Sure>(model_, setting_, *structure_, limits, &record);
        break;
      case PreferenceMethod::possible:
        ranked_pass<Possible>(model_, setting_, *structure_, limits, &record);
        break;
    }
    if (limits.ended()) refuse_unfinished("policy");
    return followed(record, k, limits);
  }

  [[nodiscard]] std::uint64_t products() const override { return real_->work.products; }
  [[nodiscard]] bool answers_all_at_once() const override { return true; }
  [[nodiscard]] std::string name() const override { return "ranked"; }
  void add_work(Work& work) const override {
    if (!real_) return;
    work.passes += passes_;
    work.backups += real_->work.backups * passes_;
    work.breakpoints += real_->work.entries;
    work.multiply_adds += real_->work.products * (passes_ - (exact_ ? 1 : 0));
    if (exact_) work.exact_nodes += exact_->work.entries;
  }

 private:
  template <class Algebra>
  bool known(std::optional<RankedChances<Algebra>>& chances, Limits& limits) {
    if (chances) return true;
    ++passes_;
    chances = ranked_pass<Algebra>(model_, setting_, *structure_, limits);
    return chances.has_value();
  }

  // A wealth so far, and the entry of its state that it still needs; none: nothing will do.
  struct Place {
    State state;
    WealthId wealth;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Needed = std::optional<std::uint64_t>;

  [[nodiscard]] Policy followed(const RankedRecord& record, std::uint32_t k, Limits& limits) {
    Policy out;
    out.setting = setting_;
    WealthRuleMaker rules(*structure_);
    std::map<Place, Needed> here;
    const std::uint32_t wanted = start_positions(record.front(), setting_.initial)[k];
    for (const State s : setting_.initial.states())
      here.emplace(Place{s, structure_->initial()}, entry_of(record.front(), s, wanted));
    for (std::size_t t = 0; t + 1 < record.size(); ++t) {
      std::map<Place, Needed> next;
      constexpr std::uint64_t kBytesPerPlace = 160;
      if (limits.ended()) refuse_unfinished("policy");
      limits.take(here.size() * kBytesPerPlace, "a policy that goes by the wealth so far");
      for (const auto& [place, needed] : here) {
        if (model_.is_terminal(place.state)) continue;
        const std::uint32_t chosen = needed ? record[t].choice[*needed] : 0;
        const Choice c = model_.choices(place.state)[chosen];
        rules.add(t, place.state, place.wealth, c);
        for (const Outcome& o : model_.outcomes(c)) {
          const Place to{o.next, structure_->update(place.wealth, o.reward)};
          if (next.contains(to)) continue;
          next.emplace(to, needed ? residual(record, t, *needed, o) : std::nullopt);
        }
      }
      here = std::move(next);
    }
    rules.fill(out);
    return out;
  }

  // The least level to come with r o z >= y.
  Needed residual(const RankedRecord& record,
                  std::size_t t,
                  std::uint64_t entry,
                  const Outcome& o) {
    const WealthId y = record[t].level[record[t].position[entry]];
    const RankedTime& next = record[t + 1];
    std::uint64_t low = next.begin[index(o.next)];
    std::uint64_t high = next.begin[index(o.next) + 1];
    const std::uint64_t end = high;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const WealthId z = structure_->update(next.level[next.position[middle]], o.reward);
      if (structure_->order(z, y) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    return low < end ? Needed(low) : std::nullopt;
  }

  Model model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  std::optional<RankedChances<Real>> real_;
  std::optional<RankedChances<Exact>> exact_;
  std::optional<RankedChances<Sure>> sure_;
  std::optional<RankedChances<Possible>> possible_;
  std::uint64_t passes_ = 0;
};

}  // namespace

std::shared_ptr<PreferenceProblem> ranked_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  std::shared_ptr<Structure> structure) {
  return std::make_shared<RankedProblem>(model, setting, std::move(structure));
}

}  // namespace quantiplan
