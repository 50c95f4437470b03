// Whether a report says something.
#pragma once

#include <string>

namespace quantiplan {

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace quantiplan
