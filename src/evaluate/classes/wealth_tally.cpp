#include "evaluate/classes/wealth_tally.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/first_without.hpp"
#include "evaluate/infinite/two_numbers.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// The position of the class of a wealth.
std::size_t position_of(WealthId wealth, const WealthClasses& classes) {
  const std::size_t end = classes.size() + 1;
  const std::size_t found = first_without(1, end, [&](std::size_t position) {
    return classes.structure().order(classes[position], wealth) < 0;
  });
  if (found == end || classes.structure().order(classes[found], wealth) != 0)
    throw Error(ErrorCode::bad_policy,
                "",
                "wealth '" + classes.structure().text(wealth) + "' is in none of the classes");
  return found;
}

}  // namespace

template <class N>
void WealthTally<N>::add(WealthId wealth, const N& mass) {
  if (index(wealth) >= place_.size()) place_.resize(index(wealth) + 1, 0);
  std::uint32_t& place = place_[index(wealth)];
  if (place == 0) {
    ended_.push_back({wealth, mass, 1});
    place = static_cast<std::uint32_t>(ended_.size());
    return;
  }
  Ended& ended = ended_[place - 1];
  ended.mass += mass;
  ++ended.additions;
}

template <class N>
std::vector<std::size_t> WealthTally<N>::sorted(const Structure& structure) const {
  std::vector<std::size_t> order(ended_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return structure.order(ended_[a].wealth, ended_[b].wealth) < 0;
  });
  return order;
}

template <class N>
Distribution WealthTally<N>::distribution(const std::shared_ptr<Structure>& structure,
                                          std::shared_ptr<const WealthClasses> classes) const {
  const std::vector<std::size_t> order = sorted(*structure);
  std::vector<WealthId> representatives;
  std::vector<N> mass;
  for (const std::size_t i : order) {
    const bool is_new =
        representatives.empty() || structure->order(representatives.back(), ended_[i].wealth) != 0;
    if (is_new) {
      representatives.push_back(ended_[i].wealth);
      mass.push_back(ended_[i].mass);
    } else {
      mass.back() += ended_[i].mass;
    }
  }
  Distribution d;
  d.classes = classes ? std::move(classes)
                      : std::make_shared<const WealthClasses>(structure, representatives);
  for (std::size_t k = 0; k < mass.size(); ++k)
    d.atoms.push_back({{d.classes, position_of(representatives[k], *d.classes)}, value(mass[k])});
  d.mean = mean(*structure);
  return d;
}

template <class N>
Value WealthTally<N>::mean(const Structure& structure) const {
  N sum = 0;
  for (const Ended& ended : ended_) {
    const std::optional<Total> number = structure.number(ended.wealth);
    if (!number || !number->is_finite())
      return {std::numeric_limits<double>::quiet_NaN(), std::nullopt};
    if constexpr (std::is_same_v<N, double>) {
      sum += ended.mass * to_nearest_double(number->value());
    } else {
      sum += ended.mass * number->value();
    }
  }
  return value(sum);
}

template <class N>
std::uint64_t WealthTally<N>::additions() const {
  // As if all wealths were of one class: far more than there are, and still few.
  std::uint64_t most = 0;
  for (const Ended& ended : ended_) most = std::max(most, ended.additions);
  return most + ended_.size();
}

template class WealthTally<double>;
template class WealthTally<Rational>;

}  // namespace quantiplan
