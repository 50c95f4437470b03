// Ranks that are threads of one process, to test without MPI whatever several processes do.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "quantiplan/ranks.hpp"

namespace quantiplan {

class ThreadRanks : public Ranks {
 public:
  struct Post {
    explicit Post(std::uint32_t size) : boxes(size) {}
    std::mutex lock;
    std::vector<std::deque<Message>> boxes;  // by receiver
  };
  ThreadRanks(std::shared_ptr<Post> post, std::uint32_t rank)
      : post_(std::move(post)), rank_(rank) {}

  [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(post_->boxes.size());
  }
  [[nodiscard]] std::uint32_t on_this_machine() const noexcept override { return size(); }
  void send(std::uint32_t to, std::vector<std::byte> bytes) override {
    const std::scoped_lock lock(post_->lock);
    post_->boxes[to].push_back({rank_, std::move(bytes)});
  }
  std::optional<Message> receive() override {
    const std::scoped_lock lock(post_->lock);
    auto& box = post_->boxes[rank_];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }
  bool is_idle() override { return true; }
  bool is_moving() override { return false; }

 private:
  std::shared_ptr<Post> post_;
  std::uint32_t rank_;
};

// What each of `size` ranks returns, by rank; body(group).
template <class Body>
auto on_ranks(std::uint32_t size, const Body& body) {
  using Out = decltype(body(std::shared_ptr<RankGroup>()));
  std::vector<std::optional<Out>> out(size);
  {
    const auto post = std::make_shared<ThreadRanks::Post>(size);
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < size; ++r)
      threads.emplace_back([&, r] {
        const auto group = std::make_shared<RankGroup>(std::make_unique<ThreadRanks>(post, r));
        out[r].emplace(body(group));
        group->take_leave("");
      });
  }
  std::vector<Out> all;
  all.reserve(out.size());
  for (auto& one : out) all.push_back(std::move(*one));
  return all;
}

}  // namespace quantiplan
