// Choices and outcomes of a state, kept back until all are known: their next states are looked up
// together then, so that one waits for memory while the others do, too.
//
//     add       hash of the next state; its slot of the table is asked for
//     hand_over what stands there is asked for; then each, in its order, is met
//
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
  explicit OutcomeBatch(const StateSet& states) : states_(states) {}

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
    states_.prefetch(hash);
    words_.insert(words_.end(), words, words + states_.words());
    nexts_.push_back({hash, probability, reward});
    others_.insert(others_.end(), others.begin(), others.end());
  }
  // More would leave the caches again.
  [[nodiscard]] bool is_full() const noexcept { return nexts_.size() >= kMost; }

  // Calls begin(base) for each choice and add(words, next, others) for each outcome, in their order; what
  // follows of the last choice may come in the next batch. The batch is empty then.
  template <typename Begin, typename Add>
  void hand_over(const Begin& begin, const Add& add) {
    for (const Next& next : nexts_) states_.prefetch_found(next.hash);
    const std::size_t count = nexts_.empty() ? 0 : others_.size() / nexts_.size();
    auto choice = choices_.begin();
    for (std::size_t i = 0; i < nexts_.size(); ++i) {
      for (; choice != choices_.end() && choice->first == i; ++choice) begin(choice->base);
      add(words_.data() + i * states_.words(),
          nexts_[i],
          std::span<const Number>(others_).subspan(i * count, count));
    }
    for (; choice != choices_.end(); ++choice) begin(choice->base);
    choices_.clear();
    nexts_.clear();
    words_.clear();
    others_.clear();
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct Choice {
    std::string_view base;
    std::size_t first;  // of its outcomes in the batch
  };

  const StateSet& states_;
  std::vector<Choice> choices_;
  std::vector<Next> nexts_;
  std::vector<std::uint64_t> words_;
  std::vector<Number> others_;
};

}  // namespace quantiplan::prism
