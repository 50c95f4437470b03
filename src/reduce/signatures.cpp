#include <algorithm>
#include <array>
#include <utility>

#include "reduce/partition.hpp"

namespace quantiplan {
namespace {

// Fewer outcomes are sorted more quickly than looked up.
constexpr std::uint64_t kMany = 24;

bool key_less(const Signatures::Entry& a, const Signatures::Entry& b) {
  return a.block_and_reward < b.block_and_reward;
}

// By key, of distinct ones; `room` is for use between. Long lists go by the digits of their blocks:
// their numbers are below 2^32, so that takes at most three walks.
void sort_by_key(std::span<Signatures::Entry> entries, std::vector<Signatures::Entry>& room) {
  constexpr std::size_t kLong = 256;
  constexpr unsigned kDigit = 11;
  if (entries.size() < kLong) {
    std::ranges::sort(entries, key_less);
    return;
  }
  std::uint64_t most = 0;
  for (const Signatures::Entry& e : entries) most = std::max(most, e.block_and_reward >> 32U);
  room.resize(entries.size());
  std::array<std::uint32_t, 1U << kDigit> at{};
  for (unsigned shift = 32; most > 0; shift += kDigit, most >>= kDigit) {
    const auto digit = [shift](const Signatures::Entry& e) {
      return (e.block_and_reward >> shift) & ((1U << kDigit) - 1);
    };
    at.fill(0);
    for (const Signatures::Entry& e : entries) ++at[digit(e)];
    std::uint32_t before = 0;
    for (std::uint32_t& each : at) before += std::exchange(each, before);
    for (const Signatures::Entry& e : entries) room[at[digit(e)]++] = e;
    std::ranges::copy(room, entries.begin());
  }
  // Rewards of one block are few.
  for (std::size_t i = 1; i < entries.size(); ++i) {
    for (std::size_t k = i; k > 0 && key_less(entries[k], entries[k - 1]); --k)
      std::swap(entries[k], entries[k - 1]);
  }
}

}  // namespace

ProbabilitySums::ProbabilitySums(const Moves& moves) : numbers_(moves.model.probabilities()) {
  const Integer most = Integer(1) << 62U;
  std::vector<bool> is_used(numbers_.size(), false);
  for (const NumberId id : moves.probability) {
    if (is_used[index(id)]) continue;
    is_used[index(id)] = true;
    common_ = lcm(common_, numbers_.rational(id).get_den());
    if (common_ > most) return;
  }
  multiple_.assign(numbers_.size(), 0);
  for (std::uint32_t id = 0; id < numbers_.size(); ++id) {
    if (is_used[id]) multiple_[id] = Integer(numbers_.rational(NumberId{id}) * common_).get_ui();
  }
}

Number ProbabilitySums::number(std::uint64_t whole) const {
  if (!multiple_.empty()) {
    Rational value(Integer(static_cast<unsigned long>(whole)), common_);
    value.canonicalize();
    return Number(value);
  }
  const NumberId id{static_cast<std::uint32_t>(whole)};
  return whole < numbers_.size() ? Number(numbers_.rational(id)) : values_.number(id);
}

std::uint64_t ProbabilitySums::sum_of_ids(std::uint64_t a, std::uint64_t b) {
  const auto [known, is_new] = known_.try_emplace(std::min(a, b) << 32U | std::max(a, b));
  if (!is_new) return known->second;
  // Distinct numbers come back under the ids they have.
  for (std::size_t id = values_.size(); id < numbers_.size(); ++id)
    values_.intern(Number(numbers_.rational(NumberId{static_cast<std::uint32_t>(id)})));
  const auto value = [this](std::uint64_t id) {
    return values_.number(NumberId{static_cast<std::uint32_t>(id)}).rational();
  };
  const Rational total = value(a) + value(b);
  known->second = static_cast<std::uint32_t>(index(values_.intern(Number(total))));
  return known->second;
}

void Signatures::add_few(std::uint32_t choice, const std::vector<std::uint32_t>& block_of) {
  const MoveGraph& graph = moves_.graph;
  const auto begin = static_cast<std::ptrdiff_t>(entries_.size());
  for (std::uint64_t i = graph.arc_begin[choice]; i < graph.arc_begin[choice + 1]; ++i) {
    const std::uint64_t block = block_of[graph.next[i]];
    entries_.push_back(
        {block << 32U | index(moves_.reward[i]), sums_.whole(moves_.probability[i])});
  }
  const auto own = entries_.begin() + begin;
  std::sort(own, entries_.end(), key_less);
  auto kept = own;
  for (auto each = own + 1; each < entries_.end(); ++each) {
    if (each->block_and_reward == kept->block_and_reward)
      kept->probability = sums_.sum(kept->probability, each->probability);
    else
      *++kept = *each;
  }
  entries_.erase(kept + 1, entries_.end());
}

// Outcomes of one key are added up where they are met; few keys are left to be sorted.
void Signatures::add_many(std::uint32_t choice, const std::vector<std::uint32_t>& block_of) {
  const MoveGraph& graph = moves_.graph;
  const std::size_t begin = entries_.size();
  constexpr std::size_t kLeast = 64;
  std::size_t size = kLeast;
  places_.assign(size, 0);
  const auto place_of = [&](std::uint64_t key) -> std::uint32_t& {
    std::size_t at = stirred(key) & (size - 1);
    while (places_[at] != 0 && entries_[places_[at] - 1].block_and_reward != key)
      at = (at + 1) & (size - 1);
    return places_[at];
  };
  for (std::uint64_t i = graph.arc_begin[choice]; i < graph.arc_begin[choice + 1]; ++i) {
    const std::uint64_t block = block_of[graph.next[i]];
    const std::uint64_t key = block << 32U | index(moves_.reward[i]);
    const std::uint64_t probability = sums_.whole(moves_.probability[i]);
    std::uint32_t& place = place_of(key);
    if (place != 0) {
      entries_[place - 1].probability = sums_.sum(entries_[place - 1].probability, probability);
      continue;
    }
    entries_.push_back({key, probability});
    place = static_cast<std::uint32_t>(entries_.size());
    if (2 * (entries_.size() - begin) <= size) continue;
    size *= 2;
    places_.assign(size, 0);
    for (std::size_t e = begin; e < entries_.size(); ++e)
      place_of(entries_[e].block_and_reward) = static_cast<std::uint32_t>(e + 1);
  }
  sort_by_key(std::span(entries_).subspan(begin), room_);
}

void Signatures::compute(std::uint32_t slot, const std::vector<std::uint32_t>& block_of) {
  const MoveGraph& graph = moves_.graph;
  entries_.clear();
  choices_.clear();
  const std::uint32_t first = graph.choice_begin[slot];
  const std::uint32_t last = graph.choice_begin[slot + 1];
  for (std::uint32_t c = first; c < last; ++c) {
    const auto begin = entries_.size();
    if (graph.arc_begin[c + 1] - graph.arc_begin[c] < kMany) {
      add_few(c, block_of);
    } else {
      add_many(c, block_of);
    }
    std::uint64_t hash = 0;
    for (std::size_t i = begin; i < entries_.size(); ++i)
      hash = stirred(stirred(hash + entries_[i].block_and_reward) + entries_[i].probability);
    choices_.push_back(
        {hash, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(entries_.size()), c});
  }
  class_of_.assign(last - first, 0);
  if (choices_.size() > 1) sort_choices(first);
}

// In an order that depends on nothing but what they do; of equal ones the first is kept.
void Signatures::sort_choices(std::uint32_t first) {
  const auto less = [this](const OfChoice& a, const OfChoice& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const auto of_a = entries(a);
    const auto of_b = entries(b);
    const auto entry_less = [](const Entry& x, const Entry& y) {
      return x.block_and_reward != y.block_and_reward ? x.block_and_reward < y.block_and_reward
                                                      : x.probability < y.probability;
    };
    if (std::lexicographical_compare(
            of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), entry_less))
      return true;
    if (std::lexicographical_compare(
            of_b.begin(), of_b.end(), of_a.begin(), of_a.end(), entry_less))
      return false;
    return a.choice < b.choice;
  };
  std::ranges::sort(choices_, less);
  std::size_t kept = 0;
  class_of_[choices_[0].choice - first] = 0;
  for (std::size_t i = 1; i < choices_.size(); ++i) {
    const auto own = entries(choices_[i]);
    const auto before = entries(choices_[kept]);
    if (!std::equal(own.begin(), own.end(), before.begin(), before.end()))
      choices_[++kept] = choices_[i];
    class_of_[choices_[i].choice - first] = static_cast<std::uint32_t>(kept);
  }
  choices_.resize(kept + 1);
}

}  // namespace quantiplan
