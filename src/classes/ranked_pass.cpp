#include "classes/ranked_pass.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "classes/prepended.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kChunk = 16;

// The states met at each time, by bits.
std::optional<std::vector<std::vector<bool>>> met_states(const Model& model,
                                                         const ResolvedSetting& setting,
                                                         Limits& limits) {
  std::vector<std::vector<bool>> met;
  std::vector<bool> here(model.state_count(), false);
  for (const State s : setting.initial.states()) here[index(s)] = true;
  for (std::uint64_t t = 0;; ++t) {
    if (limits.ended()) return std::nullopt;
    limits.take(model.state_count() / 8 + 40, "the states met at each time");
    std::vector<bool> next(model.state_count(), false);
    bool any = false;
    if (t < setting.horizon) {
      for (std::uint32_t i = 0; i < here.size(); ++i) {
        if (!here[i]) continue;
        for (const Choice c : model.choices(State{i})) {
          for (const Outcome& o : model.outcomes(c)) next[index(o.next)] = any = true;
        }
      }
    }
    met.push_back(std::move(here));
    // Nothing follows: every episode has ended.
    if (!any) return met;
    here = std::move(next);
  }
}

template <class Algebra>
class RankedPass {
 public:
  using Value = typename Algebra::Value;

  RankedPass(const Model& model,
             const ResolvedSetting& setting,
             Structure& structure,
             Limits& limits,
             RankedRecord* record)
      : model_(model),
        setting_(setting),
        structure_(structure),
        limits_(limits),
        record_(record),
        prepended_(model, structure, limits) {
    const NumberTable& numbers = model.probabilities();
    for (std::uint32_t i = 0; i < numbers.size(); ++i)
      probability_.push_back(Algebra::probability(numbers, NumberId{i}));
  }

  std::optional<RankedChances<Algebra>> run() {
    const auto met = met_states(model_, setting_, limits_);
    if (!met) return std::nullopt;
    const std::size_t last = met->size() - 1;
    if (record_ != nullptr) record_->assign(last + 1, {});
    here_ = ending(met->back());
    hold(here_);
    for (std::size_t t = last; t-- > 0;) {
      if (limits_.ended()) return std::nullopt;
      limits_.report("backward pass", static_cast<double>(last - t) / static_cast<double>(last));
      next_ = std::move(here_);
      if (!step((*met)[t])) return std::nullopt;
      keep(t + 1, next_);
    }
    RankedChances<Algebra> out;
    for (const std::uint32_t position : start_positions(here_.time, setting_.initial)) {
      out.classes.push_back(here_.time.level[position]);
      out.chance.push_back(out.chance.empty() ? Algebra::one() : drawn(position));
    }
    out.work = work_;
    keep(0, here_);
    return out;
  }

 private:
  struct Layer {
    RankedTime time;
    std::vector<Value> value;  // by entry
  };

  // Of a level or a better one, at time 0.
  Value drawn(std::uint32_t position) const {
    const auto chance = [&](State s) {
      const auto entry = entry_of(here_.time, s, position);
      return entry ? here_.value[*entry] : Algebra::zero();
    };
    if (setting_.initial.is_certain()) return chance(setting_.initial[0].state);
    Value sum = Algebra::start();
    for (const auto& [state, mu] : setting_.initial)
      Algebra::add(sum, Algebra::factor(mu), chance(state));
    return sum;
  }

  // Where nothing is still to come.
  Layer ending(const std::vector<bool>& met) {
    Layer out;
    out.time.level.push_back(structure_.initial());
    out.time.begin.push_back(0);
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i]) {
        out.time.position.push_back(0);
        out.value.push_back(Algebra::one());
      }
      out.time.begin.push_back(out.value.size());
    }
    return out;
  }

  bool step(const std::vector<bool>& met) {
    // Terminal states end here, with nothing to come.
    const bool ends = std::ranges::any_of(
        states_of(met), [&](std::uint32_t i) { return model_.is_terminal(State{i}); });
    if (!prepended_.fill(met, next_.time, ends)) return false;
    here_ = Layer{};
    here_.time.level = prepended_.levels();
    const std::vector<std::uint32_t> states = states_of(met);
    std::vector<std::vector<std::uint32_t>> positions(states.size());
    parallel_for(
        limits_.threads(), states.size(), kChunk, [&](unsigned, std::size_t a, std::size_t b) {
          std::vector<std::uint8_t> mark(here_.time.level.size(), 0);
          for (std::size_t k = a; k < b && !limits_.ended(); ++k)
            positions[k] = prepended_.positions(states[k], mark);
        });
    if (limits_.ended()) return false;
    here_.time.begin.assign(model_.state_count() + 1, 0);
    for (std::size_t k = 0; k < states.size(); ++k)
      here_.time.begin[states[k] + 1] = positions[k].size();
    for (std::size_t i = 0; i < model_.state_count(); ++i)
      here_.time.begin[i + 1] += here_.time.begin[i];
    const std::uint64_t entries = here_.time.begin.back();
    limits_.take(entries * (sizeof(std::uint32_t) * 2 + sizeof(Value)), "the levels of one time");
    held_ += entries * (sizeof(std::uint32_t) * 2 + sizeof(Value));
    here_.time.position.reserve(entries);
    for (const auto& list : positions)
      here_.time.position.insert(here_.time.position.end(), list.begin(), list.end());
    here_.value.assign(entries, Algebra::zero());
    here_.time.choice.assign(record_ != nullptr ? entries : 0, 0);
    work_.entries += entries;
    parallel_for(
        limits_.threads(), states.size(), kChunk, [&](unsigned, std::size_t a, std::size_t b) {
          std::vector<Value> sum;
          for (std::size_t k = a; k < b; ++k) back_up(State{states[k]}, sum);
        });
    for (const std::uint32_t i : states) {
      const std::uint64_t own = here_.time.begin[i + 1] - here_.time.begin[i];
      for (const Choice c : model_.choices(State{i})) {
        ++work_.backups;
        work_.products += own * model_.outcomes(c).size();
      }
    }
    return !limits_.ended();
  }

  void back_up(State s, std::vector<Value>& sum) {
    const std::size_t begin = here_.time.begin[index(s)];
    const std::size_t end = here_.time.begin[index(s) + 1];
    if (model_.is_terminal(s)) {
      here_.value[begin] = Algebra::one();
      return;
    }
    std::uint32_t order = 0;
    for (const Choice c : model_.choices(s)) {
      if (limits_.ended()) return;
      sum.assign(end - begin, Algebra::start());
      for (const Outcome& o : model_.outcomes(c)) add(o, begin, end, sum);
      for (std::size_t j = begin; j < end; ++j) {
        if (order > 0 && !(sum[j - begin] > here_.value[j])) continue;
        here_.value[j] = std::move(sum[j - begin]);
        if (record_ != nullptr) here_.time.choice[j] = order;
      }
      ++order;
    }
    // Every history has the worst of the levels, or a better one.
    here_.value[begin] = Algebra::one();
  }

  // The least level to come that makes up for each of ours: both lists ascend.
  void add(const Outcome& o, std::size_t begin, std::size_t end, std::vector<Value>& sum) const {
    std::size_t i = next_.time.begin[index(o.next)];
    const std::size_t last = next_.time.begin[index(o.next) + 1];
    const auto& p = probability_[index(o.probability)];
    for (std::size_t j = begin; j < end; ++j) {
      const std::uint32_t wanted = here_.time.position[j];
      while (i < last && prepended_.at(o.reward, next_.time.position[i]) < wanted) ++i;
      Algebra::add(sum[j - begin], p, i < last ? next_.value[i] : Algebra::zero());
    }
  }

  static std::vector<std::uint32_t> states_of(const std::vector<bool>& met) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < met.size(); ++i) {
      if (met[i]) out.push_back(i);
    }
    return out;
  }

  void hold(const Layer& layer) { work_.entries += layer.value.size(); }
  // Values are needed for one step only; the rest stays where it is recorded.
  void keep(std::size_t t, Layer& layer) {
    const std::uint64_t values = layer.value.size() * sizeof(Value);
    if (record_ != nullptr) {
      limits_.give_back(std::min(held_, values));
      held_ -= std::min(held_, values);
      (*record_)[t] = std::move(layer.time);
    } else {
      const std::uint64_t all = layer.value.size() * (sizeof(std::uint32_t) * 2 + sizeof(Value));
      limits_.give_back(std::min(held_, all));
      held_ -= std::min(held_, all);
    }
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  Structure& structure_;
  Limits& limits_;
  RankedRecord* record_;
  Prepended prepended_;
  std::vector<typename Algebra::Probability> probability_;
  Layer here_;
  Layer next_;
  RankedWork work_;
  std::uint64_t held_ = 0;
};

}  // namespace

std::vector<std::uint32_t> start_positions(const RankedTime& time, const InitialStates& initial) {
  std::vector<std::uint32_t> out;
  for (const State s : initial.states()) {
    for (std::uint64_t j = time.begin[index(s)]; j < time.begin[index(s) + 1]; ++j)
      out.push_back(time.position[j]);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<std::uint64_t> entry_of(const RankedTime& time, State s, std::uint32_t position) {
  const auto begin = time.position.begin() + static_cast<std::ptrdiff_t>(time.begin[index(s)]);
  const auto end = time.position.begin() + static_cast<std::ptrdiff_t>(time.begin[index(s) + 1]);
  const auto found = std::lower_bound(begin, end, position);
  if (found == end) return std::nullopt;
  return static_cast<std::uint64_t>(found - time.position.begin());
}

template <class Algebra>
std::optional<RankedChances<Algebra>> ranked_pass(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  Structure& structure,
                                                  Limits& limits,
                                                  RankedRecord* record) {
  return RankedPass<Algebra>(model, setting, structure, limits, record).run();
}

template std::optional<RankedChances<Real>> ranked_pass<Real>(
    const Model&, const ResolvedSetting&, Structure&, Limits&, RankedRecord*);
template std::optional<RankedChances<Exact>> ranked_pass<Exact>(
    const Model&, const ResolvedSetting&, Structure&, Limits&, RankedRecord*);
template std::optional<RankedChances<Sure>> ranked_pass<Sure>(
    const Model&, const ResolvedSetting&, Structure&, Limits&, RankedRecord*);
template std::optional<RankedChances<Possible>> ranked_pass<Possible>(
    const Model&, const ResolvedSetting&, Structure&, Limits&, RankedRecord*);

}  // namespace quantiplan
