// Targets of promises, each once: many promises share a level, and one run of the passes serves it.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace quantiplan {

template <class Target>
class DistinctTargets {
 public:
  // Where the target stands among those that are given; it is added if it is new.
  std::size_t place(const Target& target) {
    const auto [at, is_new] = places_.emplace(target, all_.size());
    if (is_new) all_.push_back(target);
    return at->second;
  }
  [[nodiscard]] const std::vector<Target>& all() const noexcept { return all_; }

 private:
  std::map<Target, std::size_t> places_;
  std::vector<Target> all_;
};

}  // namespace quantiplan
