// Processes that solve one query together: how they talk, and what they agree on.
//
//     every rank:   options.ranks = group;   solve(model, query, options)   ->  the same answer
//
// All ranks ask the same questions of the same model in the same order. Dense layers are cut into
// slabs of levels of wealth, one for each rank; everything else every rank does for itself. Answers
// and policies have the same bits at any number of ranks. Rank 0 decides when a limit of time is met
// or the caller's flag is up; it goes on with what is known, and the others are sent away.
//
// A transport of one's own derives from Ranks; that of MPI is in quantiplan/mpi.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace quantiplan {

class Model;

// What tells models apart, names included, for ranks to agree on.
std::uint64_t digest(const Model& model);

// Messages between processes. Used by one thread of each.
class Ranks {
 public:
  struct Message {
    std::uint32_t from = 0;
    std::vector<std::byte> bytes;
  };
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;
  // How many of them share the memory of this machine, this one included.
  [[nodiscard]] virtual std::uint32_t on_this_machine() const noexcept = 0;
  // Returns at once and keeps the bytes until they are delivered. Two ranks' messages keep their
  // order.
  virtual void send(std::uint32_t to, std::vector<std::byte> bytes) = 0;
  // The next message that has arrived, from whomever; nothing if none has.
  virtual std::optional<Message> receive() = 0;
  // True once everything that was sent is delivered.
  virtual bool is_idle() = 0;
  // True while a message is on its way in or out whose progress depends on calls of receive().
  virtual bool is_moving() = 0;
  // Which of those on this machine it is, from 0: they take its GPUs by turns. As it stands, for ranks
  // that are dealt out machine by machine, as many to each.
  [[nodiscard]] virtual std::uint32_t place_on_this_machine() const noexcept {
    return rank() % on_this_machine();
  }
};

// One for each process, for as long as it takes part. Where a rank sends another message than its
// partner expects, the call ends with an Error: a wrong answer is never made of it.
class RankGroup {
 public:
  // All ranks make theirs at the same time. Throws Error(bad_request) on every rank if they are not of
  // one version.
  explicit RankGroup(std::unique_ptr<Ranks> ranks);
  // Rank 0 sends the others away.
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  [[nodiscard]] std::uint32_t rank() const noexcept { return ranks_->rank(); }
  [[nodiscard]] std::uint32_t size() const noexcept { return ranks_->size(); }
  [[nodiscard]] std::uint32_t on_this_machine() const noexcept { return ranks_->on_this_machine(); }
  [[nodiscard]] std::uint32_t place_on_this_machine() const noexcept {
    return ranks_->place_on_this_machine();
  }

  // Throws Error(bad_request) on every rank, naming `what`, if one has another digest than rank 0. Looks
  // at the free memory, too.
  void agree(std::string_view what, std::uint64_t digest);
  // What a call of one rank may hold, where its options do not say: the least of all ranks.
  [[nodiscard]] std::uint64_t memory_limit() const noexcept { return memory_limit_; }

  // Rank 0: nothing more is asked of the others, and they may go. The others: nobody is to wait for
  // this one any more.
  void dismiss();
  // The others: why this rank cannot go on, for rank 0 to say (empty: it is done); waits until rank 0
  // needs nobody any more. All are told, so that nobody waits for it.
  void take_leave(const std::string& why);

  // ---- for the engines

  // Messages of engines. `is_over`, asked while waiting: true gives up, and there is nothing then.
  using IsOver = std::function<bool()>;
  void send(std::uint32_t to, std::vector<std::byte> bytes);
  std::optional<std::vector<std::byte>> wait_for(std::uint32_t from, const IsOver& is_over);
  // Until what was sent is delivered; false if it is over.
  bool wait_for_delivery(const IsOver& is_over);
  // What every rank gives, by rank, in ceil(log2 size) rounds; nothing if it is over.
  std::optional<std::vector<std::vector<std::byte>>> gather(std::vector<std::byte> own,
                                                            const IsOver& is_over);

  // A limit was met on rank 0: from now on it is alone. Any thread may say so.
  void abandon() noexcept { is_abandoned_.store(true); }
  [[nodiscard]] bool is_abandoned() const noexcept { return is_abandoned_.load(); }
  // Another rank has outgrown its memory: rank 0 is told, and ends the call.
  void give_up();
  [[nodiscard]] bool is_given_up() const noexcept { return is_given_up_.load(); }

  // True on a rank that rank 0 has sent away because a limit was met. Any thread may ask; the one that
  // made the group looks at its messages some times a second.
  [[nodiscard]] bool is_sent_away() const;

  // What rank 0 wishes, such as a checkpoint, noted with the next step and known to all after it.
  bool wish = false;
  bool agreed_wish = false;

  [[nodiscard]] std::uint64_t sent_bytes() const noexcept { return sent_bytes_; }

 private:
  enum class Kind : unsigned char { data, dismissal, failure, done, outgrown };
  void send(std::uint32_t to, std::vector<std::byte> bytes, Kind kind);
  // Takes what has arrived; true if something did.
  bool look() const;
  void wait_a_little(unsigned& tries) const;
  // Rank 0, where nothing of `from` is there: throws if what it waits for cannot come any more.
  void refuse_if_left(std::uint32_t from) const;

  std::unique_ptr<Ranks> ranks_;
  std::thread::id owner_ = std::this_thread::get_id();
  // What arrives, whoever looks.
  mutable std::vector<std::deque<std::vector<std::byte>>> inbox_;  // by sender
  // Who has taken leave, by rank: why, and how many gatherings it took part in to the end.
  struct Leave {
    std::uint64_t gathered;
    std::string why;
  };
  static Leave leave_of(const Ranks::Message& message);
  mutable std::vector<std::optional<Leave>> left_;
  std::uint64_t entered_ = 0;   // gatherings that this rank began
  std::uint64_t gathered_ = 0;  // and ended
  mutable std::atomic<bool> is_dismissed_{false};
  mutable std::atomic<bool> is_sent_away_{false};
  mutable std::atomic<bool> is_given_up_{false};
  mutable std::chrono::steady_clock::time_point next_look_;
  bool has_dismissed_ = false;
  std::atomic<bool> is_abandoned_{false};
  std::uint64_t memory_limit_ = 0;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace quantiplan
