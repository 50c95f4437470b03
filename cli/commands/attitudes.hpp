// quantiplan solve --attitude: instead of the usual answer, what policies of other attitudes to the
// future self would do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "exit_code.hpp"
#include "quantiplan/attitude.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::cli {

// "resolute,within:1/2" and "all", each attitude once.
std::vector<Attitude> attitudes_of(const std::vector<std::string>& lists);

ExitCode run_attitudes(const ModelArgument& model,
                       const SettingArguments& setting,
                       const OutputArguments& output,
                       const std::optional<std::string>& policy_out,
                       const std::vector<Attitude>& asked,
                       Query query,
                       Options options);

}  // namespace quantiplan::cli
