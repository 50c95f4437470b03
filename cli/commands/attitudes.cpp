#include "commands/attitudes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/policy_files.hpp"
#include "console/watched_call.hpp"

namespace quantiplan::cli {
namespace {

std::vector<PolicyName> attitude_names(const std::vector<Question>& questions,
                                       const std::vector<Attitude>& asked) {
  std::vector<PolicyName> names;
  for (const PolicyName& question : policy_names(questions)) {
    for (const Attitude& attitude : asked) {
      PolicyName name = question;
      name.push_back({"{attitude}", to_text(attitude)});
      // A colon would name a drive, or a stream, on some systems.
      std::ranges::replace(name.back().text, ':', '-');
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<PolicyToWrite> attitude_policies(const AttitudeAnswer& answer) {
  std::vector<PolicyToWrite> policies;
  for (const AttitudeResult& result : answer.results) {
    policies.push_back({result.policy,
                        fmt::format("no policy is known for {}, tau {}, {} side",
                                    to_text(result.attitude),
                                    to_text(result.tau),
                                    to_text(result.side))});
  }
  return policies;
}

}  // namespace

std::vector<Attitude> attitudes_of(const std::vector<std::string>& lists) {
  std::vector<Attitude> asked;
  const auto add = [&](const Attitude& attitude) {
    if (std::ranges::find(asked, attitude) == asked.end()) asked.push_back(attitude);
  };
  for (const std::string& text : split(lists)) {
    if (text == "all") {
      for (const Attitude& attitude : Attitude::all()) add(attitude);
    } else {
      add(Attitude::parse(text));
    }
  }
  return asked;
}

ExitCode run_attitudes(const ModelArgument& model,
                       const SettingArguments& setting,
                       const OutputArguments& output,
                       const std::optional<std::string>& policy_out,
                       const std::vector<Attitude>& asked,
                       Query query,
                       Options options) {
  const std::vector<InputFile> inputs = model_inputs(model.path);
  output.check_writable(inputs);
  const PolicyFiles files(policy_out, attitude_names(questions(query), asked), inputs);
  files.keep_apart_from(output.output.value_or("-"));
  const ReadModel read = model.read(output.quiet, options);
  setting.add_states(read, query.setting, output.quiet);
  const bool is_cost = has_costs(read.model, query.setting);
  const double limit = options.time_limit_seconds;
  const AttitudeAnswer answer = [&] {
    const TimeTaken taken(options);
    return watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return attitudes(read.model, asked, query, watching);
    });
  }();
  const TimeLeft clock(limit, options.time_limit_seconds);
  ExitCode code = files.write(attitude_policies(answer), read.model, options, clock, output.quiet);
  output.write(output.json ? attitudes_json(answer) : attitudes_text(answer));
  for (const AttitudeResult& result : answer.results) {
    if (result.status != Status::solved) code = worse(code, ExitCode::ended_early);
  }
  return code;
}

}  // namespace quantiplan::cli
