// The arrays of a weighted pass: M, P and E of one time, and the step to the time before.
//
// Whoever owns the layers decides where they live: start, step through the times, read what is asked
// at the initial state. See weighted_pass.hpp for the recursion. Where totals have a worth of their own
// (final_worth.hpp) there is no promise: M is U, there is no P, and E only if it is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "finite/expectation.hpp"
#include "finite/pass/contested.hpp"
#include "finite/pass/dense_backup.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/needs.hpp"
#include "finite/pass/row_mixes.hpp"
#include "finite/promise/final_worth.hpp"
#include "finite/promise/outcome_gain.hpp"

namespace quantiplan {

// What is maximised, in doubles.
struct FloatingAim {
  double weight = 0;
  bool probability_first = false;
  const FinalWorth<double>* worth = nullptr;  // instead of a promise
  bool with_mean = true;
};

class WeightedLayers {
 public:
  // What is kept of each function.
  enum Part : std::uint8_t { optimum, probability, mean, kParts };
  struct Values {
    double optimum;
    double probability;
    double mean;
  };

  // `open`: where functions are stored, from sure on: windows down to least, for a promise; `windows`: as
  // they are. `goal`: what is aimed at instead of the mean, null if nothing; E is then its own. All must
  // outlive it.
  WeightedLayers(const Stages& stages,
                 const Windows& windows,
                 const Windows& open,
                 const Expectation<double>& expectation,
                 const Needs& needs,
                 const Kernel& kernel,
                 std::uint64_t most_entries,
                 const FreeWorth* goal = nullptr);

  // The layer of the horizon.
  void start(const FloatingAim& aim);
  // From t + 1 to t; false if the limits ended it. `rules`: what is decided, null if nobody asks.
  bool step(std::uint64_t t, const Limits& limits, Decisions::LayerRules* rules);
  // At the initial state, or where it is drawn the mean of all.
  [[nodiscard]] Values at(std::int64_t target) const;
  [[nodiscard]] std::uint64_t multiply_adds() const;

 private:
  static constexpr std::size_t kTile = 512;
  // What a worker has at hand for one slot.
  struct Desk {
    // Of all choices one after another, for each part that was asked for.
    std::array<std::vector<MixTerm>, kParts> terms;
    std::array<std::vector<std::size_t>, kParts> end;
    std::vector<ChoiceTerms> choices;     // that are allowed
    std::vector<std::uint32_t> position;  // of each in its state
    std::vector<double> gains;            // the expected reward of a choice
    std::vector<std::int64_t> sure;       // the promise is kept surely up to there, by choice
    double chosen[kTile];
    double chance[kTile];
    double gain[kTile];
    RunPiece runs;
    std::uint64_t multiply_adds = 0;
  };

  [[nodiscard]] std::vector<Span<double>> spans_at(std::uint64_t t, Part part) const;
  [[nodiscard]] bool has(Part part) const {
    if (part == optimum) return !aim_.probability_first;
    return aim_.worth == nullptr || (part == mean && aim_.with_mean);
  }
  // Its spans are those of all parts.
  [[nodiscard]] Part lead() const { return has(optimum) ? optimum : mean; }
  [[nodiscard]] Span<double> worth_span(std::uint64_t t, std::size_t slot, Part part) const;
  void reset(std::uint64_t t, std::array<DenseLayer, kParts>& layers);
  // The worth of what has ended at (time, slot).
  void spell_end(std::uint64_t t, std::size_t slot, std::array<DenseLayer, kParts>& layers) const;
  void gather(std::uint64_t t, std::size_t slot, Desk& desk) const;
  void back_up(std::uint64_t t, std::size_t slot, bool record, const Limits& limits, Desk& desk);
  void best_weighted(std::size_t slot, std::uint64_t first, std::size_t size, Desk& desk);
  void best_probability(
      std::uint64_t t, std::size_t slot, std::uint64_t first, std::size_t size, Desk& desk);
  void mix(
      Part part, std::size_t choice, std::int64_t first, std::span<double> out, Desk& desk) const;
  [[nodiscard]] double gain_of(std::uint64_t t, Choice c) const;
  [[nodiscard]] std::int64_t sure_of(std::uint64_t t, Choice c) const;

  const Stages& stages_;
  const Windows& windows_;
  const Windows& open_;
  const Expectation<double>& expectation_;
  const Needs& needs_;
  std::uint64_t most_entries_;
  const FreeWorth* goal_;
  OutcomeGain gain_;
  Arithmetics<double> numbers_;
  PassInput<double> input_;  // for the terms of the kernels
  Contest<double> contest_;
  FloatingAim aim_;
  std::array<DenseLayer, kParts> later_;
  std::array<DenseLayer, kParts> now_;
  std::array<RowMixes, kParts> mixes_;
  std::uint64_t multiply_adds_ = 0;
};

}  // namespace quantiplan
