// Problems of one file among several: all go to one list, each with its file and line.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "quantiplan/error.hpp"

namespace quantiplan {

class PlacedProblems {
 public:
  PlacedProblems(Problems& all, std::string source) : all_(all), source_(std::move(source)) {}

  void add(std::uint64_t line, std::string message) {
    const std::string number = std::to_string(line);
    all_.add(line == 0         ? source_
             : source_.empty() ? "line " + number
                               : source_ + ":" + number,
             std::move(message));
  }
  [[nodiscard]] bool full() const { return all_.full(); }
  [[nodiscard]] const std::string& source() const { return source_; }

 private:
  Problems& all_;
  std::string source_;
};

}  // namespace quantiplan
