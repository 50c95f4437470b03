#include "quantiplan/model.hpp"

#include <algorithm>

#include "numbers/fraction.hpp"

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

Rational NumberTable::rational(NumberId id) const {
  const Fraction& entry = small_[index(id)];
  if (entry.denominator == 0) return wide_[static_cast<std::size_t>(entry.numerator)];
  return to_rational(entry);
}

std::size_t NumberTable::bytes() const noexcept {
  return bytes_of(small_) + deep_bytes(wide_) + bytes_of(nearest_);
}

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  const auto at = std::lower_bound(
      sorted_.begin(), sorted_.end(), name, [this](std::uint32_t i, std::string_view n) {
        return (*this)[i] < n;
      });
  if (at == sorted_.end() || (*this)[*at] != name) return std::nullopt;
  return *at;
}

std::size_t NameTable::bytes() const noexcept {
  return characters_.capacity() + bytes_of(begin_) + bytes_of(sorted_);
}

const StateLabel* Model::find_label(std::string_view name) const noexcept {
  const auto found = std::ranges::find(labels_, name, &StateLabel::name);
  return found == labels_.end() ? nullptr : &*found;
}

std::optional<State> Model::find_state(std::string_view name) const {
  const auto found = state_names_.find(name);
  if (!found) return std::nullopt;
  return State{static_cast<std::uint32_t>(*found)};
}

std::optional<Choice> Model::find_choice(State s, std::string_view action) const {
  const auto found = action_names_.find(action);
  if (!found) return std::nullopt;
  for (const Choice c : choices(s)) {
    if (action_of_choice_[index(c)] == *found) return c;
  }
  return std::nullopt;
}

std::size_t Model::bytes() const noexcept {
  return sizeof(Model) + name_.capacity() + bytes_of(choice_begin_) + bytes_of(outcome_begin_) +
         bytes_of(outcomes_) + bytes_of(action_of_choice_) + numbers_.bytes() + bytes_of(wealth_) +
         bytes_of(goal_) + bytes_of(labels_) + state_names_.bytes() + action_names_.bytes();
}

}  // namespace quantiplan
