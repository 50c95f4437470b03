#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace quantiplan {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceAtAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    for (const std::size_t count : {0U, 1U, 4U, 5U, 1000U}) {
      std::vector<int> visits(count, 0);
      parallel_for(threads, count, 4, [&](unsigned worker, std::size_t begin, std::size_t end) {
        EXPECT_LT(worker, threads);
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), std::size_t{0}), count);
      EXPECT_TRUE(std::ranges::all_of(visits, [](int v) { return v == 1; }));
    }
  }
}

TEST(ParallelFor, BringsAWorkersExceptionHome) {
  const auto throws = [](unsigned, std::size_t begin, std::size_t) {
    if (begin == 8) throw std::runtime_error("here");
  };
  EXPECT_THROW(parallel_for(3, 100, 4, throws), std::runtime_error);
}

}  // namespace
}  // namespace quantiplan
