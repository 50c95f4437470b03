// Ranks that talk by MPI: the only header that needs it.
//
//     MPI_Init(..);
//     {
//       options.ranks = quantiplan::join_mpi(MPI_COMM_WORLD);      // all ranks
//       answer = quantiplan::solve(model, query, options);         // all ranks; the same answer
//     }                                                            // let go of all copies before
//     MPI_Finalize();
//
// Compiled with the caller's MPI, whichever that is, so the library itself depends on none. Needs
// MPI_THREAD_FUNNELED: one thread of each process calls MPI. Making the group and letting go of it
// are collective.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "quantiplan/ranks.hpp"

namespace quantiplan {

class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(MPI_Comm with) {
    MPI_Comm_dup(with, &world_);
    int number = 0;
    MPI_Comm_rank(world_, &number);
    rank_ = static_cast<std::uint32_t>(number);
    MPI_Comm_size(world_, &number);
    size_ = static_cast<std::uint32_t>(number);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &number);
    on_this_machine_ = static_cast<std::uint32_t>(number);
    MPI_Comm_rank(machine, &number);
    place_on_this_machine_ = static_cast<std::uint32_t>(number);
    MPI_Comm_free(&machine);
  }
  // Whatever is under way is taken in, so that nobody waits for its delivery.
  ~MpiRanks() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0) return;
    while (!is_idle()) receive();
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(world_, &all_here);
    for (int done = 0; done == 0; MPI_Test(&all_here, &done, MPI_STATUS_IGNORE)) receive();
    MPI_Comm_free(&world_);
  }

  [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t size() const noexcept override { return size_; }
  [[nodiscard]] std::uint32_t on_this_machine() const noexcept override { return on_this_machine_; }

  // The length, then pieces that an int can count.
  void send(std::uint32_t to, std::vector<std::byte> bytes) override {
    const std::uint64_t length = bytes.size();
    std::vector<std::byte> head(sizeof length);
    std::memcpy(head.data(), &length, sizeof length);
    const std::size_t inline_bytes = length <= kInline ? bytes.size() : 0;
    head.insert(
        head.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(inline_bytes));
    begin_send(to, std::move(head), 0);
    if (inline_bytes < length) begin_send(to, std::move(bytes), 1);
  }

  std::optional<Message> receive() override {
    for (;;) {
      finish_sends();
      if (std::optional<Message> whole = finish_receives()) return whole;
      int there = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, 0, world_, &there, &handle, &status);
      if (there == 0) return std::nullopt;
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      std::vector<std::byte> head(static_cast<std::size_t>(count));
      MPI_Mrecv(head.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
      std::uint64_t length = 0;
      std::memcpy(&length, head.data(), sizeof length);
      const auto from = static_cast<std::uint32_t>(status.MPI_SOURCE);
      Incoming incoming{from, {}, {}, head.size() - sizeof length == length};
      if (incoming.is_whole) {
        incoming.bytes.assign(head.begin() + sizeof length, head.end());
      } else {
        incoming.bytes.resize(length);
      }
      incoming_.push_back(std::move(incoming));
      Incoming& placed = incoming_.back();
      if (placed.is_whole) continue;
      for (std::size_t at = 0; at < length; at += kPiece) {
        placed.requests.push_back(MPI_REQUEST_NULL);
        MPI_Irecv(placed.bytes.data() + at,
                  static_cast<int>(std::min<std::size_t>(kPiece, length - at)),
                  MPI_BYTE,
                  status.MPI_SOURCE,
                  1,
                  world_,
                  &placed.requests.back());
      }
    }
  }

  bool is_idle() override {
    finish_sends();
    return outgoing_.empty();
  }

  bool is_moving() override { return !outgoing_.empty() || !incoming_.empty(); }
  [[nodiscard]] std::uint32_t place_on_this_machine() const noexcept override {
    return place_on_this_machine_;
  }

 private:
  static constexpr std::size_t kInline = 4096;
  static constexpr std::size_t kPiece = std::size_t{1} << 30U;
  struct Outgoing {
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
  };
  struct Incoming {
    std::uint32_t from;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> requests;
    bool is_whole;
  };

  static bool are_done(std::vector<MPI_Request>& requests) {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }
  void begin_send(std::uint32_t to, std::vector<std::byte> bytes, int tag) {
    outgoing_.push_back({std::move(bytes), {}});
    Outgoing& out = outgoing_.back();
    for (std::size_t at = 0; at < out.bytes.size(); at += kPiece) {
      out.requests.push_back(MPI_REQUEST_NULL);
      MPI_Isend(out.bytes.data() + at,
                static_cast<int>(std::min(kPiece, out.bytes.size() - at)),
                MPI_BYTE,
                static_cast<int>(to),
                tag,
                world_,
                &out.requests.back());
    }
  }
  void finish_sends() {
    std::erase_if(outgoing_, [](Outgoing& out) { return are_done(out.requests); });
  }
  // The first of a sender's messages that is whole; later ones wait for it.
  std::optional<Message> finish_receives() {
    std::vector<bool> is_behind(size_, false);
    for (auto it = incoming_.begin(); it != incoming_.end(); ++it) {
      if (!it->is_whole) it->is_whole = are_done(it->requests);
      if (it->is_whole && !is_behind[it->from]) {
        Message message{it->from, std::move(it->bytes)};
        incoming_.erase(it);
        return message;
      }
      is_behind[it->from] = true;
    }
    return std::nullopt;
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 1;
  std::uint32_t on_this_machine_ = 1;
  std::uint32_t place_on_this_machine_ = 0;
  std::list<Outgoing> outgoing_;
  std::list<Incoming> incoming_;
};

inline std::shared_ptr<RankGroup> join_mpi(MPI_Comm with) {
  return std::make_shared<RankGroup>(std::make_unique<MpiRanks>(with));
}

}  // namespace quantiplan
