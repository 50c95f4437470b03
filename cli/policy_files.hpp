// Where the policies of an answer go: one file each, told apart by {tau} and {side} in the name.
//
//     policy-{tau}-{side}.json  ->  policy-0.1-lower.json, policy-1_3-upper.json
//
// A fraction's slash becomes an underscore: it must not name a folder.
#pragma once

#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::cli {

class PolicyFiles {
 public:
  // Throws Error before anything is solved: bad_request if two different questions would share a
  // file, io if a file could not be made. An empty pattern: nothing is to be written.
  PolicyFiles(const std::string& pattern, const std::vector<Question>& questions);

  // One file per result that has a policy; a notice for each that has none.
  void write(const Answer& answer, const Model& model, bool quiet) const;

 private:
  std::vector<std::string> paths_;  // one per question, or none
};

}  // namespace quantiplan::cli
