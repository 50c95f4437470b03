// Several ranks give the answers, policies and counts of one process, bit for bit.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <utility>

#include "quantiplan/domains.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/report.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"
#include "thread_ranks.hpp"

namespace quantiplan {
namespace {

struct Told {
  std::string report;
  std::vector<std::string> policies;
  std::uint64_t sent = 0;
  friend bool operator==(const Told& a, const Told& b) {
    return a.report == b.report && a.policies == b.policies;
  }
};

// All that a user sees, but times, memory and what was sent.
Told told(const Model& model, const Query& query, Options options) {
  options.representation = Representation::dense;
  Answer answer = solve(model, query, options);
  Told out;
  out.sent = answer.work.sent_bytes;
  answer.work.seconds = 0;
  answer.work.peak_bytes = answer.work.sent_bytes = 0;
  out.report = answer_json(answer);
  for (const Result& result : answer.results)
    if (result.policy) out.policies.push_back(format_policy(result.policy(), model));
  return out;
}

void expect_same_on_ranks(const Model& model,
                          const Query& query,
                          const Options& options = {},
                          bool is_shared = true) {
  Options alone = options;
  alone.threads = 1;
  const Told expected = told(model, query, alone);
  ASSERT_FALSE(expected.policies.empty());
  for (const std::uint32_t size : {1U, 2U, 3U, 4U, 7U}) {
    const auto found = on_ranks(size, [&](const std::shared_ptr<RankGroup>& group) {
      Options ours = options;
      ours.ranks = group;
      ours.threads = 1 + size % 2;
      return told(model, query, ours);
    });
    for (std::uint32_t r = 0; r < size; ++r) EXPECT_EQ(found[r], expected) << size << ' ' << r;
    EXPECT_EQ(found[0].sent > 0, size > 1 && is_shared);
  }
}

Model garnet(const char* states, const char* horizon) {
  return generate("garnet", {{"states", states}, {"horizon", horizon}, {"actions", "3"}});
}

Query at(std::vector<Rational> taus) {
  Query query;
  query.taus = std::move(taus);
  return query;
}

TEST(Ranks, SolveLikeOneProcess) {
  expect_same_on_ranks(garnet("60", "8"), at({Rational(1, 10), Rational(1, 2)}));
}

TEST(Ranks, SolveCostsAndUpperSidesLikeOneProcess) {
  Query query = at({Rational(1, 4)});
  query.setting.cost = true;
  query.sides = Sides::both;
  expect_same_on_ranks(garnet("40", "6"), query);
}

TEST(Ranks, SolveAgainstAnAdversaryLikeOneProcess) {
  Query query = at({Rational(1, 4)});
  query.setting.adversarial = true;
  expect_same_on_ranks(garnet("40", "6"), query);
}

// Rounds on grids that coarsen with time, mass dropped at both ends.
TEST(Ranks, BracketADiscountLikeOneProcess) {
  Options options;
  options.engine = Engine::lattice;
  options.epsilon = Rational(2);
  Query query = at({Rational(1, 10), Rational(9, 10)});
  query.setting.discount = Rational(9, 10);
  expect_same_on_ranks(garnet("20", "12"), query, options);
}

TEST(Ranks, ShareRowsLikeOneProcess) {
  expect_same_on_ranks(generate("inventory", {{"horizon", "8"}}),
                       at({Rational(1, 10), Rational(1, 2)}));
}

TEST(Ranks, RecomputeDecisionsLikeOneProcess) {
  Options options;
  options.memory_limit_bytes = 8U << 20U;
  expect_same_on_ranks(garnet("30", "30"), at({Rational(1, 10)}), options);
}

TEST(Ranks, PreferMeansLikeOneProcess) {
  Query query = at({Rational(1, 10)});
  query.prefer = Prefer::mean;
  expect_same_on_ranks(garnet("20", "5"), query);
}

TEST(Ranks, HavePlacesOfTheirOwnOnAMachine) {
  const auto places = on_ranks(3, [](const std::shared_ptr<RankGroup>& group) {
    return std::pair(group->rank(), group->place_on_this_machine());
  });
  for (const auto& [rank, place] : places) EXPECT_EQ(rank, place);
}

// Rank 0 has its answer and is gone while rank 1 still waits for rank 2, whose message is on its way.
TEST(Ranks, EndWellWhereRankZeroIsTheFirst) {
  std::atomic<bool> is_gone{false};
  std::atomic<int> looks{0};  // of rank 1, since then
  const auto heard = on_ranks(3, [&](const std::shared_ptr<RankGroup>& group) -> std::string {
    if (group->rank() == 0) {
      group->dismiss();
      is_gone = true;
    }
    if (group->rank() == 1) {
      const auto message = group->wait_for(2, [&] {
        if (is_gone) ++looks;
        return false;
      });
      return message->size() == 3 ? "heard" : "another message";
    }
    if (group->rank() == 2) {
      while (looks < 3) std::this_thread::yield();
      group->send(1, std::vector<std::byte>(3));
    }
    return "";
  });
  EXPECT_EQ(heard[1], "heard");
}

// But not for one that is gone, nor, step by step, for one that waits for it.
TEST(Ranks, WaitForNobodyWhoIsGone) {
  const auto heard = on_ranks(4, [&](const std::shared_ptr<RankGroup>& group) -> std::string {
    if (group->rank() == 0 || group->rank() == 3) return "gone";
    try {
      group->wait_for(group->rank() + 1, nullptr);
    } catch (const Error& error) {
      return error.what();
    }
    return "heard";
  });
  EXPECT_EQ(heard[1], "ranks: rank 0 has ended the call");
  EXPECT_EQ(heard[2], "ranks: rank 0 has ended the call");
}

TEST(Ranks, RefuseModelsThatDiffer) {
  std::barrier everyone(3);
  const auto messages = on_ranks(3, [&](const std::shared_ptr<RankGroup>& group) -> std::string {
    const Model model = garnet(group->rank() == 2 ? "41" : "40", "5");
    std::string message = "agreed";
    try {
      group->agree("model", digest(model));
    } catch (const Error& error) {
      message = error.what();
    }
    everyone.arrive_and_wait();
    return message;
  });
  for (const std::string& message : messages)
    EXPECT_EQ(message, "ranks: rank 2 has another model than rank 0, expected the same");
}

TEST(Ranks, RefuseToSolveDifferentProblems) {
  const auto messages = on_ranks(2, [](const std::shared_ptr<RankGroup>& group) -> std::string {
    const Model model = garnet("40", "5");
    Query query = at({Rational(1, 10)});
    query.setting.cost = group->rank() == 1;
    Options options;
    options.ranks = group;
    options.threads = 1;
    options.representation = Representation::dense;
    try {
      solve(model, query, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "solved";
  });
  EXPECT_EQ(messages[0],
            "ranks: rank 1 solves another problem than rank 0, expected the same model, arguments "
            "and version");
}

TEST(Ranks, EndWithABracketWhenRankZeroIsStopped) {
  const auto statuses = on_ranks(3, [](const std::shared_ptr<RankGroup>& group) {
    const std::atomic<bool> stop{true};
    Options options;
    options.ranks = group;
    options.threads = 1;
    options.representation = Representation::dense;
    options.stop = group->rank() == 0 ? &stop : nullptr;
    try {
      return solve(garnet("40", "30"), at({Rational(1, 10)}), options).results[0].status;
    } catch (const Error&) {
      return Status::interrupted;  // sent away
    }
  });
  for (const Status status : statuses) EXPECT_EQ(status, Status::interrupted);
}

TEST(Ranks, GatherWhatEachGives) {
  for (const std::uint32_t size : {1U, 2U, 3U, 5U, 8U}) {
    // Rank 0 sends the others home when it leaves.
    std::barrier everyone(size);
    const auto all = on_ranks(size, [&](const std::shared_ptr<RankGroup>& group) {
      auto heard = *group->gather(
          std::vector<std::byte>(group->rank(), static_cast<std::byte>(group->rank())), nullptr);
      everyone.arrive_and_wait();
      return heard;
    });
    for (const auto& heard : all) {
      ASSERT_EQ(heard.size(), size);
      for (std::uint32_t r = 0; r < size; ++r)
        EXPECT_EQ(heard[r], std::vector<std::byte>(r, static_cast<std::byte>(r)));
    }
  }
}

// Layers of so many outcomes that their means are shared, too.
Model many_outcomes(const char* horizon) {
  return generate("garnet", {{"states", "1000"}, {"horizon", horizon}, {"greatest-reward", "5"}});
}

TEST(Ranks, ShareMeansLikeOneProcess) {
  ASSERT_GE(many_outcomes("3").outcome_count(), std::size_t{1} << 15U);
  expect_same_on_ranks(many_outcomes("3"), at({Rational(1, 10)}));
}

TEST(Ranks, RefuseToShareMeansOfDifferentProblems) {
  const auto messages = on_ranks(3, [](const std::shared_ptr<RankGroup>& group) -> std::string {
    Options options;
    options.ranks = group;
    options.threads = 1;
    options.representation = Representation::dense;
    try {
      solve(many_outcomes(group->rank() == 2 ? "4" : "3"), at({Rational(1, 10)}), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "solved";
  });
  EXPECT_EQ(messages[0],
            "ranks: rank 2 solves another problem than rank 0, expected the same model, arguments "
            "and version");
}

// What a rank hears of, and what of.
std::string gathered(RankGroup& group) {
  try {
    group.gather({}, nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return "gathered";
}

// The partner that waits for the missing one says nothing to rank 0, which would wait for ever.
// Not taken for a lack of memory, where coarser rounds would be tried.
TEST(Ranks, EndTheCallWhereOneHasFailed) {
  const auto messages = on_ranks(3, [](const std::shared_ptr<RankGroup>& group) -> std::string {
    if (group->rank() == 2) {
      group->take_leave("no room");
      return "left";
    }
    Options options;
    options.ranks = group;
    options.threads = 1;
    options.engine = Engine::lattice;
    options.representation = Representation::dense;
    Query query = at({Rational(1, 10)});
    query.setting.discount = Rational(9, 10);
    try {
      solve(garnet("20", "12"), query, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_request);
      return error.what();
    }
    return "solved";
  });
  EXPECT_EQ(messages[0], "ranks: rank 2: no room");
}

TEST(Ranks, RefuseARankThatIsNotAsked) {
  const auto said = on_ranks(4, [](const std::shared_ptr<RankGroup>& group) -> std::string {
    if (group->rank() == 3) return "";
    std::string heard = gathered(*group);
    group->dismiss();
    return heard;
  });
  EXPECT_EQ(said[0],
            "ranks: rank 3 was asked something else, expected the same questions on every rank");
  EXPECT_EQ(said[2], "ranks: rank 0 has ended the call");
}

// A rank hears what the herald met after a gathering some time before it hears what rank 2 gave to it.
class LateRanks : public ThreadRanks {
 public:
  using ThreadRanks::ThreadRanks;
  std::optional<Message> receive() override {
    for (std::optional<Message> next = ThreadRanks::receive(); next;
         next = ThreadRanks::receive()) {
      if (next->from == 2 && (holds || !held_.empty())) {  // in order, as messages of a rank come
        held_.push_back(std::move(*next));
        continue;
      }
      // Its last byte says of what kind a message is; data are 0.
      if (next->from == herald && next->bytes.back() != std::byte{0}) holds = false;
      return next;
    }
    if (holds || held_.empty() || !std::exchange(was_silent_, true)) return std::nullopt;
    Message first = std::move(held_.front());
    held_.pop_front();
    return first;
  }
  bool holds = false;
  std::uint32_t herald = 1;

 private:
  std::deque<Message> held_;
  bool was_silent_ = false;
};

TEST(Ranks, HearTheRestOfAGatheringThatAnotherHasLeft) {
  const auto post = std::make_shared<ThreadRanks::Post>(3);
  std::barrier everyone(3);
  std::vector<std::string> said;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        auto ranks = std::make_unique<LateRanks>(post, r);
        LateRanks& late = *ranks;
        RankGroup group(std::move(ranks));
        late.holds = r == 0;
        everyone.arrive_and_wait();
        const std::string first = gathered(group);
        if (r > 0) return group.take_leave(r == 1 ? "broken" : "");
        said = {first, gathered(group)};
        group.dismiss();
      });
  }
  EXPECT_EQ(said, (std::vector<std::string>{"gathered", "ranks: rank 1: broken"}));
}

TEST(Ranks, EndAGatheringThatRankZeroHasEndedAndLeft) {
  const auto post = std::make_shared<ThreadRanks::Post>(3);
  std::barrier everyone(3);
  std::vector<std::string> said;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        auto ranks = std::make_unique<LateRanks>(post, r);
        LateRanks& late = *ranks;
        RankGroup group(std::move(ranks));
        late.herald = 0;
        late.holds = r == 1;
        everyone.arrive_and_wait();
        const std::string first = gathered(group);
        if (r == 1) said = {first, gathered(group)};
      });
  }
  EXPECT_EQ(said, (std::vector<std::string>{"gathered", "ranks: rank 0 has ended the call"}));
}

}  // namespace
}  // namespace quantiplan
