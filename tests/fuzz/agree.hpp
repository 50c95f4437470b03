// A claim of a fuzz target: if it does not hold, stop with both texts shown, so that libFuzzer
// keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

inline void must_agree(const std::string& first, const std::string& second, const char* claim) {
  if (first == second) return;
  std::fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", claim, first.c_str(), second.c_str());
  std::abort();
}
