// The truth about a model with a wealth structure, at a finite horizon, by definition: twice.
//
// Recursion: D_k(s,w) = the greatest chance to end in a class at least y, k steps to go,
//
//     D_0(s,w) = [class of w >= y]     D_k(s,w) = max_a  sum over outcomes of  p * D_{k-1}(s', w o
//     r)
//
// Enumeration: the laws of all deterministic history-dependent policies,
//
//     P_0(s,w) = { w surely },   P_k(s,w) = union over choices of
//                { sum over outcomes o of p_o * X_o : X_o in P_{k-1}(s'_o, w o r_o) }
//
// Classes are counted from 1, the worst that any history ends in; a Total is such a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/truth.hpp"
#include "oracles/brute_force.hpp"
#include "preferences/preference_judge.hpp"
#include "preferences/preference_model.hpp"

namespace quantiplan::testing {

class PreferenceOracle {
 public:
  explicit PreferenceOracle(const PreferenceModel& model);
  PreferenceOracle(const PreferenceOracle&) = delete;
  PreferenceOracle& operator=(const PreferenceOracle&) = delete;

  [[nodiscard]] const Judge& judge() const { return judge_; }
  [[nodiscard]] std::size_t class_count() const { return texts_.size(); }
  [[nodiscard]] const std::string& text(std::size_t position) const { return texts_[position - 1]; }
  [[nodiscard]] std::size_t rank(std::size_t position) const { return ranks_[position - 1]; }
  // Of a final wealth.
  [[nodiscard]] std::size_t position(const Holding& wealth) const;
  // By its text; 0 if no history ends in such a class.
  [[nodiscard]] std::size_t position(const std::string& class_text) const;
  // The number of a class, where it has one.
  [[nodiscard]] std::optional<Rational> number(std::size_t position) const {
    return numbers_[position - 1];
  }

  // The greatest P(class >= position) of any policy.
  Rational at_least(std::size_t position);
  std::vector<CurveStep> steps();
  Optimum optimum(const Rational& tau, Side side);
  // Of all policies; nullopt if there are more than `most` anywhere.
  std::optional<std::vector<Law>> laws(std::size_t most);

 private:
  using Place = std::tuple<std::uint64_t, std::size_t, Holding>;  // steps to go, state, wealth
  [[nodiscard]] bool is_over(std::uint64_t steps_to_go, std::size_t state) const;
  const Rational& best(const Place& place, std::size_t target);
  const std::set<Law>* laws_from(const Place& place, std::size_t most);
  bool add_laws_of(const PlainChoice& choice,
                   const Place& place,
                   std::size_t most,
                   std::set<Law>& found);

  const PreferenceModel model_;
  const Judge judge_;
  std::map<std::vector<Rational>, std::size_t> positions_;  // by merit
  std::vector<std::string> texts_;
  std::vector<std::size_t> ranks_;
  std::vector<std::optional<Rational>> numbers_;
  std::map<std::pair<Place, std::size_t>, Rational> known_;
  std::map<Place, std::set<Law>> known_laws_;
};

}  // namespace quantiplan::testing
