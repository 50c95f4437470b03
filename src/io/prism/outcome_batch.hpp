// Choices and outcomes of a state, kept back until all are known: their next states are looked up
// together then, so that one waits for memory while the others do, too.
//
//     add       hash of the next state; its slot of the table is asked for
//     hand_over what stands there is asked for; then each, in its order, is met
//
// Where others look at the table meanwhile, or it changes before the batch is handed over, piece by piece,
// both are asked for on the way.
// Source: group prefetching of hash joins [CAGM]. What is found, and in which order, is the same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/prism/state_set.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::prism {

class OutcomeBatch {
 public:
  static constexpr std::size_t kFew = 256;  // more would leave the caches again

  explicit OutcomeBatch(const StateSet& states, std::size_t most = kFew)
      : states_(states), most_(most) {}

  struct Next {
    std::uint64_t hash;
    Number probability;
    Number reward;
  };

  // `base` of its name: a text that stays.
  void begin_choice(std::string_view base) { choices_.push_back({base, nexts_.size()}); }
  void add(const std::uint64_t* words,
           const Number& probability,
           const Number& reward,
           std::span<const Number> others) {
    const std::uint64_t hash = states_.hash(words);
    if (most_ == kFew) states_.prefetch(hash);
    words_.insert(words_.end(), words, words + states_.words());
    nexts_.push_back({hash, probability, reward});
    others_.insert(others_.end(), others.begin(), others.end());
  }
  [[nodiscard]] bool is_full() const noexcept { return nexts_.size() >= most_; }
  void clear() {
    choices_.clear();
    nexts_.clear();
    words_.clear();
    others_.clear();
  }

  // Calls begin(base) for each choice and add(words, next, others) for each outcome, in their order; what
  // follows of the last choice may come in the next batch. The batch is empty then.
  template <typename Begin, typename Add>
  void hand_over(const Begin& begin, const Add& add) {
    for (const Next& next : nexts_) states_.prefetch_found(next.hash);
    walk({}, mark(), begin, add);
    clear();
  }

  // What is between two points, and stays.
  struct Mark {
    std::size_t choices = 0;
    std::size_t nexts = 0;
  };
  [[nodiscard]] Mark mark() const { return {choices_.size(), nexts_.size()}; }
  template <typename Begin, typename Add>
  void hand_over(const Mark& from, const Mark& to, const Begin& begin, const Add& add) const {
    constexpr std::size_t kSlot = 32;
    constexpr std::size_t kFound = 16;
    std::size_t i = from.nexts;
    walk(from, to, begin, [&](const std::uint64_t* words, const Next& next, const auto& others) {
      if (i + kSlot < nexts_.size()) states_.prefetch(nexts_[i + kSlot].hash);
      if (i + kFound < nexts_.size()) states_.prefetch_found(nexts_[i + kFound].hash);
      ++i;
      add(words, next, others);
    });
  }

 private:
  struct Choice {
    std::string_view base;
    std::size_t first = 0;  // of its outcomes in the batch
  };

  template <typename Begin, typename Add>
  void walk(const Mark& from, const Mark& to, const Begin& begin, const Add& add) const {
    const std::size_t count = nexts_.empty() ? 0 : others_.size() / nexts_.size();
    std::size_t choice = from.choices;
    for (std::size_t i = from.nexts; i < to.nexts; ++i) {
      for (; choice < to.choices && choices_[choice].first == i; ++choice)
        begin(choices_[choice].base);
      add(words_.data() + i * states_.words(),
          nexts_[i],
          std::span<const Number>(others_).subspan(i * count, count));
    }
    for (; choice < to.choices; ++choice) begin(choices_[choice].base);
  }

  const StateSet& states_;
  std::size_t most_;
  std::vector<Choice> choices_;
  std::vector<Next> nexts_;
  std::vector<std::uint64_t> words_;
  std::vector<Number> others_;
};

}  // namespace quantiplan::prism
