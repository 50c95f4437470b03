// A model of any kind, with the truth about its greatest and its least chances.
//
// Finite horizon: any signs, discounts, goals and costs. Infinite horizon: no discount, and one
// sign or no cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "harness/truth.hpp"
#include "oracles/brute_force.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {

constexpr Aim kBothAims[] = {Aim::greatest, Aim::least};
std::string name_of(Aim aim);

class AimedCase {
 public:
  AimedCase(std::uint64_t case_seed, PlainModel plain_model);
  AimedCase(const AimedCase&) = delete;
  AimedCase& operator=(const AimedCase&) = delete;
  static bool fits(const PlainModel& plain);

  std::uint64_t seed;
  PlainModel plain;
  Model model;

  [[nodiscard]] Truth& truth(Aim aim) { return aim == Aim::greatest ? *greatest_ : *least_; }
  // Wealth is a multiple of it.
  [[nodiscard]] const Rational& unit() const { return unit_; }
  // 0, 1, random ones, and ties: 1 - G(w) for some levels w, and for the limits at both ends.
  [[nodiscard]] std::vector<Rational> taus(Aim aim);
  [[nodiscard]] static Setting setting(Aim aim);
  [[nodiscard]] Query query(Aim aim);
  // Levels, some between levels, beyond all, and -inf.
  [[nodiscard]] std::vector<Total> targets(Aim aim);

 private:
  std::unique_ptr<Truth> greatest_, least_;
  Rational unit_;
};

// The same for models of the infinite horizon only: finite ones are another property's concern.
class InfiniteCase : public AimedCase {
 public:
  using AimedCase::AimedCase;
  static bool fits(const PlainModel& plain) {
    return plain.is_infinite() && AimedCase::fits(plain);
  }
};

// These models take milliseconds: an engine that goes on for this long goes on for ever. 60, or
// QUANTIPLAN_PATIENCE.
double patience_seconds();

// Ways to run the engines that know such models.
struct AimedRun {
  std::string name;
  Options options;
};
std::vector<AimedRun> aimed_runs(const AimedCase& c);

// "epochs exact 1 threads, least, tau 1/2 lower: "
std::string place(const AimedRun& run, Aim aim, const Rational& tau, Side side);

}  // namespace quantiplan::testing
