// Where the policies of an answer go: one file each, told apart by {tau} and {side} in the name.
//
//     policy-{tau}-{side}.json  ->  policy-0.1-lower.json, policy-1_3-upper.json
//
// A fraction's slash becomes an underscore: it must not name a folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::cli {

class PolicyFiles {
 public:
  // Throws Error before anything is solved: bad_request if two different questions would share a
  // file, or if that is one of the inputs; io if a file could not be made. No pattern: nothing is
  // to be written.
  PolicyFiles(const std::optional<std::string>& pattern,
              const std::vector<Question>& questions,
              const std::vector<InputFile>& inputs);

  // Throws Error(bad_request) if the report, which goes to `path`, would meet a policy there.
  void keep_apart_from(const std::string& path) const;

  // One file per result that has a policy; a notice for each that has none.
  void write(const Answer& answer, const Model& model, bool quiet) const;

 private:
  std::vector<std::string> paths_;  // one per question, or none
};

}  // namespace quantiplan::cli
