// Outcomes drawn at random, exactly and alike on every platform: 64 random bits are compared with
// the cumulative probability times 2^64, rounded up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// SplitMix64 [SLF]: every seed gives a full-period stream of its own.
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

// The first 64-bit number beyond a cumulative probability.
std::uint64_t drawing_threshold(const Rational& cumulative);

// Which part of a mixture is followed: drawn before the start.
class PartDrawing {
 public:
  explicit PartDrawing(const std::vector<MixturePart>& mixture);
  [[nodiscard]] std::size_t draw(std::uint64_t bits) const;

 private:
  std::vector<std::uint64_t> thresholds_;  // between the parts
};

// Which initial state an episode begins in; a certain one takes no bits.
class InitialDrawing {
 public:
  explicit InitialDrawing(const InitialStates& initial);
  [[nodiscard]] State draw(RandomBits& bits) const {
    return thresholds_.empty() ? states_.front() : draw(bits.next());
  }
  [[nodiscard]] State draw(std::uint64_t bits) const;

 private:
  std::vector<State> states_;
  std::vector<std::uint64_t> thresholds_;  // between the states
};

class Drawing {
 public:
  explicit Drawing(const Model& model) : model_(model) {}
  [[nodiscard]] const Outcome& draw(Choice c, RandomBits& bits);

 private:
  const Model& model_;
  // For each outcome but the last, the first 64-bit number that is beyond it.
  std::unordered_map<Choice, std::vector<std::uint64_t>> thresholds_;
};

}  // namespace quantiplan
