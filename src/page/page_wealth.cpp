#include "page/page_wealth.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

#include "page/page_json.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostPairs = 400'000;

// The pairs of a state and a wealth that can be met; each is looked at when it is met first, when most
// steps are left.
class Exploration {
 public:
  Exploration(const Model& model,
              const ResolvedSetting& setting,
              Structure& structure,
              const PageModel& shown)
      : model_(model), setting_(setting), structure_(structure), shown_(shown) {
    static_cast<void>(position(structure.initial()));
    for (const State s : setting.initial.states()) meet(s, structure.initial());
  }

  bool run() {
    for (std::uint64_t time = 0; time < setting_.horizon && !next_.empty(); ++time) {
      const auto now = std::exchange(next_, {});
      for (const auto& [s, w] : now) {
        for (const Choice c : model_.choices(s))
          for (const Outcome& o : model_.outcomes(c)) meet(o.next, step(w, o.reward));
        if (seen_.size() > kMostPairs) return false;
      }
    }
    return true;
  }

  [[nodiscard]] const std::vector<WealthId>& wealths() const { return wealths_; }
  // By wealth: reward and next wealth, each pair once.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& steps() const { return steps_; }

 private:
  std::size_t position(WealthId w) {
    if (position_.size() <= index(w)) position_.resize(index(w) + 1, kNotShown);
    std::size_t& at = position_[index(w)];
    if (at == kNotShown) {
      at = wealths_.size();
      wealths_.push_back(w);
      steps_.emplace_back();
    }
    return at;
  }

  void meet(State s, WealthId w) {
    const std::uint64_t pair = (std::uint64_t{index(s)} << 32U) | index(w);
    if (!seen_.insert(pair).second) return;
    const bool is_shown = shown_.positions[index(s)] < shown_.shown;
    if (is_shown && !model_.is_terminal(s)) next_.emplace_back(s, w);
  }

  WealthId step(WealthId from, NumberId by) {
    const WealthId to = structure_.update(from, by);
    const std::size_t reward = shown_.reward_positions[index(by)];
    const std::size_t at = position(from);
    const std::size_t next = position(to);
    std::vector<std::size_t>& known = steps_[at];
    for (std::size_t i = 0; i < known.size(); i += 2)
      if (known[i] == reward) return to;
    known.push_back(reward);
    known.push_back(next);
    return to;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  Structure& structure_;
  const PageModel& shown_;
  std::vector<std::size_t> position_;  // by WealthId
  std::vector<WealthId> wealths_;      // in the order they are met
  std::vector<std::vector<std::size_t>> steps_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::pair<State, WealthId>> next_;
};

// Of each wealth its class, from the worst; and one wealth of each.
std::pair<std::vector<std::size_t>, std::vector<WealthId>> classes_of(
    const std::vector<WealthId>& wealths, const Structure& structure) {
  std::vector<std::size_t> order(wealths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return structure.order(wealths[a], wealths[b]) < 0;
  });
  std::vector<std::size_t> class_of(wealths.size());
  std::vector<WealthId> one;
  for (const std::size_t i : order) {
    if (one.empty() || structure.order(one.back(), wealths[i]) != 0) one.push_back(wealths[i]);
    class_of[i] = one.size() - 1;
  }
  return {std::move(class_of), std::move(one)};
}

std::string vector_text(const std::vector<Rational>& vector) {
  std::string text;
  for (const Rational& component : vector) text += (text.empty() ? "(" : ", ") + to_text(component);
  return text + ")";
}

void write_rewards(const Model& model, const PageModel& shown, PageJson& json) {
  const Wealth& wealth = model.wealth();
  std::vector<std::string> names;
  for (std::size_t id = 0; id < shown.reward_positions.size() && !wealth.has_numbers(); ++id) {
    const std::size_t at = shown.reward_positions[id];
    if (at == kNotShown) continue;
    if (names.size() <= at) names.resize(at + 1);
    const Rational reward = model.rewards().rational(NumberId{static_cast<std::uint32_t>(id)});
    const auto which = static_cast<std::size_t>(reward < 0 ? 0 : reward.get_num().get_ui());
    names[at] = reward < 0             ? "–"
                : wealth.has_vectors() ? vector_text(wealth.vectors[which])
                                       : wealth.labels[which];
  }
  json.key("rewards").begin_list();
  for (const std::string& name : names) json.name(name);
  json.end_list();
}

}  // namespace

std::optional<std::string> wealth_json(const Model& model,
                                       const ResolvedSetting& setting,
                                       const PageModel& shown,
                                       std::size_t most_bytes) {
  const auto own = setting.structure ? setting.structure : structure_of(model);
  Structure& structure = *own;
  Exploration found(model, setting, structure, shown);
  if (!found.run()) return std::nullopt;
  const auto [class_of, classes] = classes_of(found.wealths(), structure);
  PageJson json;
  json.begin_object().key("texts").begin_list();
  for (const WealthId w : found.wealths()) {
    json.name(structure.text(w));
    if (json.size() > most_bytes) return std::nullopt;
  }
  json.end_list().key("steps").begin_list();
  for (const std::vector<std::size_t>& steps : found.steps()) {
    json.begin_list();
    for (const std::size_t each : steps) json.count(each);
    json.end_list();
    if (json.size() > most_bytes) return std::nullopt;
  }
  json.end_list().key("class_of").begin_list();
  for (const std::size_t each : class_of) json.count(each);
  json.end_list().key("classes").begin_list();
  for (const WealthId w : classes) {
    if (const auto number = structure.number(w)) {
      json.total(*number);
    } else {
      json.name(structure.class_text(w));
    }
  }
  json.end_list();
  write_rewards(model, shown, json);
  std::string out = json.end_object().str();
  if (out.size() > most_bytes) return std::nullopt;
  return out;
}

}  // namespace quantiplan
