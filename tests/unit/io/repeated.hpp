// A text over and over again: programs too deep or too long.
#pragma once

#include <string>

namespace quantiplan::prism {

inline std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace quantiplan::prism
