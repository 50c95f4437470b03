// States of which one notice tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quantiplan::prism {

struct StatesNoted {
  std::uint64_t count = 0;
  std::string first;  // its name

  // Counts one more.
  bool is_first() { return ++count == 1; }

  // "p.prism: 2 states are deadlocks ...: (x=0) and others".
  struct Words {
    const char* one;
    const char* several;
  };
  void tell(const std::string& at,
            const Words& words,
            const char* what,
            std::vector<std::string>& notices) const {
    if (count == 0) return;
    notices.push_back(at + std::to_string(count) + (count == 1 ? words.one : words.several) + what +
                      ": " + first + (count > 1 ? " and others" : ""));
  }
};

}  // namespace quantiplan::prism
