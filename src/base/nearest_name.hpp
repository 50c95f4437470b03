// "Did you mean ...?": the known name that is closest to an unknown one.
//
// Distance: insertions, deletions, substitutions and swaps of neighbours; at most a third of the
// length, so that nothing far-fetched is suggested. Cost: O(length^2) per candidate of similar
// length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "quantiplan/model.hpp"

namespace quantiplan {

class NearestName {
 public:
  explicit NearestName(std::string_view wanted);
  void offer(std::string_view candidate);
  // "; did you mean 'office'?", or nothing. Of equally near candidates the first offered.
  [[nodiscard]] std::string suggestion() const;

 private:
  std::string wanted_;
  std::string best_;
  std::size_t limit_;  // only a distance below this is taken
};

// The suggestion among the states of a model.
std::string suggest_state(const Model& model, std::string_view wanted);

}  // namespace quantiplan
