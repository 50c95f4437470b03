// Where the policies of an answer go: one file each, told apart by what is asked in the name.
//
//     policy-{tau}-{side}.json  ->  policy-0.1-lower.json, policy-1_3-upper.json
//     policy-{target}.json      ->  policy-12.json, policy--inf.json
//
// A fraction's slash becomes an underscore: it must not name a folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments/arguments.hpp"
#include "arguments/file_paths.hpp"
#include "exit_code.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::cli {

// What stands for what in the name of one file: {"{tau}", "0.1"}.
struct NamePart {
  std::string_view place;
  std::string text;
};
using PolicyName = std::vector<NamePart>;
std::vector<PolicyName> policy_names(const std::vector<Question>& questions);
// One for each tau; one in all, if there is none.
std::vector<PolicyName> policy_names_of_criterion(const std::vector<Rational>& taus);
// Targets as the user gave them.
std::vector<PolicyName> policy_names(const std::vector<std::string>& targets);

// A policy, or why there is none.
struct PolicyToWrite {
  Later<Policy> policy;
  std::string missing;
};

class PolicyFiles {
 public:
  // Throws Error before anything is solved: bad_request if two names would share a file, or if that
  // is one of the inputs; io if a file could not be made. No pattern: nothing is to be written.
  PolicyFiles(const std::optional<std::string>& pattern,
              const std::vector<PolicyName>& names,
              const std::vector<InputFile>& inputs);

  // Throws Error(bad_request) if the report, which goes to `path`, would meet a policy there.
  void keep_apart_from(const std::string& path) const;

  // One file per policy, in the order of the names; a notice for each that there is not, or, where
  // there might have been one, an error (ended_early). One that
  // is too large (ended_early) or cannot be written (refused) is said on standard error, and how
  // many were written when the time was up (ended_early). The options' memory limit holds for the
  // text of each.
  [[nodiscard]] ExitCode write(const std::vector<PolicyToWrite>& policies,
                               const Model& model,
                               Options options,
                               const TimeLeft& clock,
                               bool quiet) const;

 private:
  std::vector<std::string> paths_;  // one per name, or none
};

}  // namespace quantiplan::cli
