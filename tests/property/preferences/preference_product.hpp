// The truth about max, min and monotone automata at the infinite horizon, by the product of states
// and wealths.
//
//     rank never falls   P(W >= y) = the chance ever to come to a rank of at least y
//     rank never rises   P(W >= y) = 1 - the chance ever to come to a rank below y
//
// The greatest of them over all policies is that of a stationary one of the product; found by
// policy iteration, and by counting where there are few (reachability.hpp). Classes are counted
// from 1, the worst of all that are met on the way.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/truth.hpp"
#include "oracles/reachability.hpp"
#include "preferences/preference_judge.hpp"
#include "preferences/preference_model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

class InfinitePreference {
 public:
  // Throws std::logic_error where the rank both rises and falls.
  explicit InfinitePreference(const PreferenceModel& model);
  InfinitePreference(const InfinitePreference&) = delete;
  InfinitePreference& operator=(const InfinitePreference&) = delete;
  // Whether some step of the product raises the rank, or lowers it.
  [[nodiscard]] bool rises() const { return rises_; }
  [[nodiscard]] bool falls() const { return falls_; }

  [[nodiscard]] std::size_t class_count() const { return texts_.size(); }
  [[nodiscard]] const std::string& text(std::size_t position) const { return texts_[position - 1]; }
  // 0 if there is no such class.
  [[nodiscard]] std::size_t position(const std::string& class_text) const;
  // Of a class among those declared.
  [[nodiscard]] std::optional<std::size_t> declared_rank(std::size_t position) const {
    return ranks_[position - 1];
  }

  [[nodiscard]] Rational at_least(std::size_t position) const;
  [[nodiscard]] std::optional<Rational> at_least_by_counting(std::size_t position,
                                                             std::size_t most) const;
  // Of one policy, played by its rules. Throws std::runtime_error where one is missing.
  [[nodiscard]] Rational at_least(std::size_t position,
                                  const Model& model,
                                  const Policy& policy) const;
  [[nodiscard]] std::vector<CurveStep> steps() const;
  [[nodiscard]] Optimum optimum(const Rational& tau, Side side) const;

 private:
  [[nodiscard]] Process process_for(std::size_t position) const;
  void find_classes();
  void find_direction();

  const PreferenceModel model_;
  const Judge judge_;
  std::map<std::pair<std::size_t, Holding>, std::size_t> nodes_;
  std::vector<std::pair<std::size_t, Holding>> places_;  // of each node
  Process process_;
  std::vector<std::size_t> classes_;  // of each node
  std::vector<std::string> texts_;
  std::vector<std::optional<std::size_t>> ranks_;
  bool rises_ = false;
  bool falls_ = false;
};

}  // namespace quantiplan::testing
