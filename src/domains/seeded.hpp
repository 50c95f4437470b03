// A stream of random integers that is the same on every platform, for a given seed.
//
//     z <- state += 0x9e3779b97f4a7c15,   z <- mix(z)          splitmix64 [SLF]
//     below(n): the first z >= 2^64 mod n, modulo n            exactly uniform, by rejection
//
// The standard library's engines are portable but its distributions are not: their algorithms are
// left to the implementation, and a seed would name another model elsewhere. Hence integers only.
// Cost: some five instructions per number; a rejection has probability below n / 2^64.
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept;
  // Uniform in 0 .. bound-1. Needs bound >= 1.
  std::uint64_t below(std::uint64_t bound) noexcept;
  // `count` distinct values of 0 .. bound-1, ascending, every subset equally likely, into `subset`.
  // Needs count <= bound. Cost O(count^2) moves: meant for counts of at most some hundreds.
  void subset(std::uint64_t count, std::uint64_t bound, std::vector<std::uint64_t>& subset);

 private:
  std::uint64_t state_;
};

}  // namespace quantiplan
