// Memory of GMP's numbers, with exceptions instead of an abort.
//
// A throw through GMP is no clean failure: mpz_mul frees the old limbs of its result before it asks
// for the new ones, so the number is left with a pointer that is freed or that never was allocated,
// and its destructor hands that back again. Once a request has failed, handing back therefore does
// nothing. (Frames of libgmp can be unwound: compilers for x86-64 and arm64 emit the tables for C,
// too.)
#include <gmp.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

std::atomic<bool> has_failed{false};

[[noreturn]] void fail() {
  has_failed.store(true, std::memory_order_relaxed);
  throw std::bad_alloc();
}

void* allocate(std::size_t bytes) {
  void* const got = std::malloc(bytes);
  if (got == nullptr) fail();
  return got;
}

void* reallocate(void* old, std::size_t /*old_bytes*/, std::size_t bytes) {
  if (has_failed.load(std::memory_order_relaxed)) fail();  // what is old may be gone
  void* const got = std::realloc(old, bytes);
  if (got == nullptr) fail();
  return got;
}

void give_back(void* old, std::size_t /*bytes*/) {
  if (!has_failed.load(std::memory_order_relaxed)) std::free(old);
}

}  // namespace

void let_numbers_throw_bad_alloc() { mp_set_memory_functions(allocate, reallocate, give_back); }

}  // namespace quantiplan
