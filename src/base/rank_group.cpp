#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>

#include "base/memory.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"
#include "quantiplan/version.hpp"

namespace quantiplan {
namespace {

// What ranks compare. The first field tells versions apart, whatever follows.
struct Card {
  std::uint64_t version = 0;
  std::uint64_t digest = 0;
  std::uint64_t free_memory = 0;
};

std::vector<std::byte> bytes_of(const Card& card) {
  std::vector<std::byte> bytes(sizeof card);
  std::memcpy(bytes.data(), &card, sizeof card);
  return bytes;
}

constexpr std::uint64_t kThisVersion = (std::uint64_t{QUANTIPLAN_VERSION_MAJOR} << 40U) +
                                       (std::uint64_t{QUANTIPLAN_VERSION_MINOR} << 20U) +
                                       std::uint64_t{QUANTIPLAN_VERSION_PATCH};

[[noreturn]] void refuse_ranks(const std::string& why) {
  throw Error(ErrorCode::bad_request, "ranks", why);
}

// A list of byte strings as one, and back.
void append_string(const std::vector<std::byte>& one, std::vector<std::byte>& all) {
  const std::uint64_t size = one.size();
  const auto* head = reinterpret_cast<const std::byte*>(&size);
  all.insert(all.end(), head, head + sizeof size);
  all.insert(all.end(), one.begin(), one.end());
}

std::vector<std::byte> bytes_of_leave(std::uint64_t gathered, const std::string& why) {
  std::vector<std::byte> bytes(sizeof gathered + why.size());
  std::memcpy(bytes.data(), &gathered, sizeof gathered);
  std::ranges::copy(std::as_bytes(std::span(why)), bytes.begin() + sizeof gathered);
  return bytes;
}

bool take_string(const std::vector<std::byte>& all, std::size_t& at, std::vector<std::byte>& one) {
  std::uint64_t size = 0;
  if (all.size() - at < sizeof size) return false;
  std::memcpy(&size, all.data() + at, sizeof size);
  at += sizeof size;
  if (all.size() - at < size) return false;
  one.assign(all.begin() + static_cast<std::ptrdiff_t>(at),
             all.begin() + static_cast<std::ptrdiff_t>(at + size));
  at += size;
  return true;
}

}  // namespace

RankGroup::RankGroup(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {
  inbox_.resize(size());
  left_.resize(size());
  agree("the program", 0);
}

RankGroup::~RankGroup() {
  try {
    dismiss();
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is there to be told
  }
}

void RankGroup::send(std::uint32_t to, std::vector<std::byte> bytes, Kind kind) {
  bytes.push_back(static_cast<std::byte>(kind));
  sent_bytes_ += bytes.size();
  ranks_->send(to, std::move(bytes));
}

void RankGroup::send(std::uint32_t to, std::vector<std::byte> bytes) {
  send(to, std::move(bytes), Kind::data);
}

RankGroup::Leave RankGroup::leave_of(const Ranks::Message& message) {
  Leave leave{0, {}};
  if (message.bytes.size() < sizeof leave.gathered)
    refuse_ranks(fmt::format("rank {} took leave without a word", message.from));
  std::memcpy(&leave.gathered, message.bytes.data(), sizeof leave.gathered);
  leave.why.assign(reinterpret_cast<const char*>(message.bytes.data()) + sizeof leave.gathered,
                   message.bytes.size() - sizeof leave.gathered);
  return leave;
}

bool RankGroup::look() const {
  std::optional<Ranks::Message> message = ranks_->receive();
  if (!message) return false;
  if (message->bytes.empty())
    refuse_ranks(fmt::format("rank {} sent an empty message", message->from));
  const auto kind = static_cast<Kind>(message->bytes.back());
  message->bytes.pop_back();
  switch (kind) {
    case Kind::data:
      inbox_[message->from].push_back(std::move(message->bytes));
      break;
    case Kind::dismissal:
      is_dismissed_ = true;
      if (!message->bytes.empty()) is_sent_away_ = true;
      break;
    case Kind::failure:
    case Kind::done:
      left_[message->from] = leave_of(*message);
      break;
    case Kind::outgrown:
      is_given_up_.store(true);
      break;
  }
  return true;
}

bool RankGroup::is_sent_away() const {
  constexpr auto kOften = std::chrono::milliseconds(20);
  if (is_sent_away_.load() || std::this_thread::get_id() != owner_) return is_sent_away_.load();
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return false;
  next_look_ = now + kOften;
  while (look()) {
  }
  return is_sent_away_.load();
}

// Partners on other cores answer within microseconds; where processes share cores, they must be let
// at them. A message that is moving goes no faster than it is looked at.
void RankGroup::wait_a_little(unsigned& tries) const {
  constexpr unsigned kSpins = 2000;
  if (++tries < kSpins || ranks_->is_moving()) {
    std::this_thread::yield();
    return;
  }
  const unsigned slow = std::min((tries - kSpins) / 16, 6U);
  std::this_thread::sleep_for(std::chrono::microseconds(50U << (slow / 2)));
}

// Who left after the gathering that this rank is in has done its part, and others may still be at
// theirs: what went wrong there comes later here, too, or is of no account.
//
// Elsewhere: where all went well on rank 0, it may be gone while others are still about their last
// messages. These come, unless whoever is waited for is gone, too; and who waits for one that is
// refused so leaves in its turn, so that nobody waits for ever.
void RankGroup::refuse_if_left(std::uint32_t from) const {
  if (rank() != 0) {
    if (is_sent_away_ || (is_dismissed_ && (from == 0 || left_[from])))
      refuse_ranks("rank 0 has ended the call");
    return;
  }
  for (std::uint32_t r = 1; r < size(); ++r) {
    const std::optional<Leave>& leave = left_[r];
    if (!leave || (r != from && leave->gathered >= entered_)) continue;
    if (!leave->why.empty()) refuse_ranks(fmt::format("rank {}: {}", r, leave->why));
    refuse_ranks(fmt::format(
        "rank {} was asked something else, expected the same questions on every rank", r));
  }
}

std::optional<std::vector<std::byte>> RankGroup::wait_for(std::uint32_t from,
                                                          const IsOver& is_over) {
  for (unsigned tries = 0;;) {
    if (!inbox_[from].empty()) {
      std::vector<std::byte> bytes = std::move(inbox_[from].front());
      inbox_[from].pop_front();
      return bytes;
    }
    if (look()) continue;
    refuse_if_left(from);
    if (is_over && is_over()) return std::nullopt;
    wait_a_little(tries);
  }
}

bool RankGroup::wait_for_delivery(const IsOver& is_over) {
  for (unsigned tries = 0; !ranks_->is_idle();) {
    if (look()) continue;
    // Whoever is gone has taken in what was on its way.
    if (is_sent_away_) refuse_ranks("rank 0 has ended the call");
    if (is_over && is_over()) return false;
    wait_a_little(tries);
  }
  return true;
}

// Bruck's way: what is known doubles in each round, and every string arrives once.
std::optional<std::vector<std::vector<std::byte>>> RankGroup::gather(std::vector<std::byte> own,
                                                                     const IsOver& is_over) {
  const std::uint32_t n = size();
  ++entered_;
  std::vector<std::vector<std::byte>> known;  // of ranks rank(), rank() + 1, ..
  known.reserve(n);
  known.push_back(std::move(own));
  for (std::uint32_t step = 1; step < n; step *= 2) {
    const std::uint32_t count = std::min(step, n - step);
    std::vector<std::byte> message;
    std::size_t length = 1;  // what kind it is
    for (std::uint32_t i = 0; i < count; ++i) length += sizeof(std::uint64_t) + known[i].size();
    message.reserve(length);
    for (std::uint32_t i = 0; i < count; ++i) append_string(known[i], message);
    send((rank() + n - step) % n, std::move(message));
    const std::uint32_t from = (rank() + step) % n;
    const auto heard = wait_for(from, is_over);
    if (!heard) return std::nullopt;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      known.emplace_back();
      if (!take_string(*heard, at, known.back()))
        refuse_ranks(fmt::format("rank {} sent something else than expected", from));
    }
  }
  // Whoever goes on to long work of its own must not leave a partner waiting.
  if (!wait_for_delivery(is_over)) return std::nullopt;
  ++gathered_;
  std::vector<std::vector<std::byte>> by_rank(n);
  for (std::uint32_t i = 0; i < n; ++i) by_rank[(rank() + i) % n] = std::move(known[i]);
  return by_rank;
}

void RankGroup::agree(std::string_view what, std::uint64_t digest) {
  const Card own{kThisVersion, digest, free_memory_bytes() / ranks_->on_this_machine()};
  const auto cards = gather(bytes_of(own), nullptr);
  Card first;
  memory_limit_ = own.free_memory;
  for (std::uint32_t r = 0; r < size(); ++r) {
    Card card;
    std::memcpy(&card, (*cards)[r].data(), std::min(sizeof card, (*cards)[r].size()));
    if (r == 0) first = card;
    if (card.version != first.version)
      refuse_ranks(fmt::format("rank {} runs another version than rank 0, expected one", r));
    if (card.digest != first.digest)
      refuse_ranks(fmt::format("rank {} has another {} than rank 0, expected the same", r, what));
    memory_limit_ = std::min(memory_limit_, card.free_memory);
  }
  memory_limit_ = memory_limit_ / 10 * 8;
}

void RankGroup::dismiss() {
  if (has_dismissed_) return;
  has_dismissed_ = true;
  if (rank() > 0) {
    // Gone without a word of its own: nobody is to wait for it.
    for (std::uint32_t r = 0; r < size(); ++r)
      if (r != rank()) send(r, bytes_of_leave(gathered_, ""), Kind::done);
    return;
  }
  // Where all went well, the others come to the same end by themselves.
  const std::vector<std::byte> hurry(is_abandoned() ? 1 : 0);
  abandon();
  for (std::uint32_t r = 1; r < size(); ++r) send(r, hurry, Kind::dismissal);
  wait_for_delivery(nullptr);
}

void RankGroup::take_leave(const std::string& why) {
  if (rank() == 0 || has_dismissed_) return dismiss();
  has_dismissed_ = true;
  for (std::uint32_t r = 0; r < size(); ++r)
    if (r != rank())
      send(r, bytes_of_leave(gathered_, why), why.empty() ? Kind::done : Kind::failure);
  for (unsigned tries = 0; !is_dismissed_;)
    if (!look()) wait_a_little(tries);
}

void RankGroup::give_up() {
  send(0, {}, Kind::outgrown);
  for (unsigned tries = 0; !is_dismissed_;)
    if (!look()) wait_a_little(tries);
  refuse_ranks("rank 0 has ended the call");
}

}  // namespace quantiplan
