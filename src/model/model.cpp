#include "quantiplan/model.hpp"

#include <algorithm>
#include <utility>

#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "numbers/fraction.hpp"
#include "numbers/interner.hpp"
#include "numbers/name_source.hpp"

namespace quantiplan {
namespace {

template <typename T>
std::size_t bytes_of(const std::vector<T>& values) noexcept {
  return values.capacity() * sizeof(T);
}

std::size_t bytes_of(const Rational& value) noexcept {
  return sizeof(mp_limb_t) * (mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()));
}

std::size_t bytes_of(const std::string& text) noexcept { return text.capacity(); }

// With what the entries hold elsewhere.
template <typename T>
std::size_t deep_bytes(const std::vector<T>& values) noexcept {
  std::size_t total = bytes_of(values);
  for (const T& value : values) total += bytes_of(value);
  return total;
}

std::size_t bytes_of(const Wealth& wealth) noexcept {
  std::size_t total = bytes_of(wealth.components) + bytes_of(wealth.vectors) +
                      deep_bytes(wealth.labels) + deep_bytes(wealth.weights) +
                      deep_bytes(wealth.nodes) + bytes_of(wealth.next) + bytes_of(wealth.class_of) +
                      deep_bytes(wealth.classes);
  for (const WealthComponent& component : wealth.components) total += bytes_of(component.name);
  for (const auto& vector : wealth.vectors) total += deep_bytes(vector);
  return total;
}

std::size_t bytes_of(const std::vector<StateLabel>& labels) noexcept {
  std::size_t total = labels.capacity() * sizeof(StateLabel);
  for (const StateLabel& label : labels) total += bytes_of(label.name) + bytes_of(label.states);
  return total;
}

}  // namespace

InitialStates::InitialStates(std::vector<Drawn> drawn) : drawn_(std::move(drawn)) {
  Problems problems;
  Rational sum = 0;
  for (const Drawn& each : drawn_) {
    sum += each.probability;
    if (each.probability < 0)
      problems.add("initial",
                   "found a probability of " + shown(each.probability) + ", must be from 0 to 1");
  }
  std::erase_if(drawn_, [](const Drawn& each) { return each.probability == 0; });
  std::ranges::sort(drawn_, {}, &Drawn::state);
  const auto twice = std::ranges::adjacent_find(drawn_, {}, &Drawn::state);
  if (twice != drawn_.end())
    problems.add(
        "initial",
        "state number " + std::to_string(index(twice->state)) + " is given twice, must be once");
  if (const std::string wrong = wrong_initial_sum(sum); !wrong.empty())
    problems.add("initial", wrong);
  problems.throw_if_any(ErrorCode::bad_request);
}

std::vector<State> InitialStates::states() const {
  std::vector<State> out;
  for (const Drawn& each : drawn_) out.push_back(each.state);
  return out;
}

bool InitialStates::contains(State s) const noexcept {
  return std::ranges::binary_search(drawn_, s, {}, &Drawn::state);
}

Rational NumberTable::rational(NumberId id) const {
  return NumberInterner::rational(*this, static_cast<std::uint32_t>(id));
}

std::size_t NumberTable::bytes() const noexcept {
  return bytes_of(small_) + bytes_of(long_) + deep_bytes(wide_) + bytes_of(nearest_);
}

std::size_t NameTable::names_of_source() const noexcept { return source_->size(); }

std::string_view NameTable::made(std::size_t i) const {
  return source_->text(static_cast<std::uint32_t>(i));
}

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  if (source_) return source_->find(name);
  const auto at = std::lower_bound(
      sorted_.begin(), sorted_.end(), name, [this](std::uint32_t i, std::string_view n) {
        return (*this)[i] < n;
      });
  if (at == sorted_.end() || (*this)[*at] != name) return std::nullopt;
  return *at;
}

std::size_t NameTable::bytes() const noexcept {
  return (source_ ? source_->bytes() : 0) + characters_.capacity() + bytes_of(begin_) +
         bytes_of(sorted_);
}

Model::Model(std::shared_ptr<const Body> body)
    : body_(std::move(body)),
      rewards_(body_, &body_->numbers),
      probabilities_(&body_->numbers),
      choice_begin_(body_->choice_begin.data()),
      outcome_begin_(body_->outcome_begin.data()),
      outcomes_(body_->outcomes.data()),
      state_count_(body_->choice_begin.size() - 1),
      choice_count_(body_->outcome_begin.size() - 1) {}

const StateLabel* Model::find_label(std::string_view name) const noexcept {
  const auto found = std::ranges::find(labels(), name, &StateLabel::name);
  return found == labels().end() ? nullptr : &*found;
}

NumberId Model::reward_in(std::size_t structure, const Outcome& o) const noexcept {
  if (structure == body_->chosen_reward || body_->other_rewards.empty()) return o.reward;
  const std::size_t stride = body_->reward_names.size() - 1;
  const std::size_t slot = structure < body_->chosen_reward ? structure : structure - 1;
  return body_->other_rewards[static_cast<std::size_t>(&o - outcomes_) * stride + slot];
}

std::optional<State> Model::find_state(std::string_view name) const {
  const auto found = body_->state_names.find(name);
  if (!found) return std::nullopt;
  return State{static_cast<std::uint32_t>(*found)};
}

std::optional<Choice> Model::find_choice(State s, std::string_view action) const {
  const auto found = body_->action_names.find(action);
  if (!found) return std::nullopt;
  for (const Choice c : choices(s)) {
    if (body_->action_of_choice[index(c)] == *found) return c;
  }
  return std::nullopt;
}

Model Model::with_rewards(const std::function<Rational(const Rational&)>& f) const {
  std::vector<bool> is_reward(rewards().size(), false);
  for (const Outcome& o : body_->outcomes) is_reward[index(o.reward)] = true;
  std::vector<Number> values;
  values.reserve(rewards().size());
  NumberInterner distinct;
  for (std::uint32_t id = 0; id < rewards().size(); ++id) {
    const Rational before = rewards().rational(NumberId{id});
    values.emplace_back(is_reward[id] ? f(before) : before);
    if (!is_reward[id]) continue;
    const Number& after = values.back();
    std::string wrong = wrong_reward(wealth(), after);
    const std::size_t known = distinct.size();
    distinct.intern(after);
    if (wrong.empty() && distinct.size() == known)
      wrong = "another reward is " + shown(after.rational()) + ", must stay different";
    if (!wrong.empty())
      throw Error(ErrorCode::bad_model, "rewards", shown(before) + " is changed: " + wrong);
  }
  Model out = *this;
  out.rewards_ = std::make_shared<const NumberTable>(NumberInterner::listed(values));
  return out;
}

std::size_t Model::bytes() const noexcept {
  const Body& body = *body_;
  return sizeof(Body) + body.name.capacity() + bytes_of(body.choice_begin) +
         bytes_of(body.outcome_begin) + body.outcomes.size() * sizeof(Outcome) +
         bytes_of(body.action_of_choice) + body.numbers.bytes() + bytes_of(body.wealth) +
         bytes_of(body.goal) + bytes_of(body.possible_initial) + deep_bytes(body.reward_names) +
         bytes_of(body.other_rewards) + bytes_of(body.labels) + body.state_names.bytes() +
         body.action_names.bytes() + (rewards_.get() == probabilities_ ? 0 : rewards_->bytes());
}

}  // namespace quantiplan
