#include "check/classes/wealth_optimum.hpp"

#include <functional>

namespace quantiplan::checking {

bool WealthOptimum::expand() {
  layers_.assign(1, {{setting_.initial, structure_.initial()}});
  places_ = 1;
  for (std::uint64_t time = 0; time < setting_.horizon; ++time) {
    std::vector<Place> next;
    const auto unique_places = [&] {
      std::sort(next.begin(), next.end(), watched(limits_, std::less<>()));
      next.erase(std::unique(next.begin(), next.end()), next.end());
    };
    for (const Place& place : layers_.back()) {
      if (limits_.ended()) return false;
      if (is_end(time, place)) continue;
      successors(place, next);
      share_.set(2 * (places_ + next.size()) * sizeof(Place) + structure_.bytes());
      if (next.size() <= 2 * kMostPlaces) continue;
      unique_places();
      if (next.size() > kMostPlaces) return false;
    }
    unique_places();
    if (next.empty()) break;
    places_ += next.size();
    if (places_ > kMostPlaces) return false;
    layers_.push_back(std::move(next));
  }
  return true;
}

void WealthOptimum::successors(const Place& place, std::vector<Place>& next) {
  for (const Choice c : model_.choices(place.state))
    for (const Outcome& o : model_.outcomes(c))
      next.push_back({o.next, structure_.update(place.wealth, o.reward)});
}

}  // namespace quantiplan::checking
