#include "commands/policy_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "console/console.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string path_of(std::string pattern, const PolicyName& name) {
  for (const NamePart& part : name) {
    std::string text = part.text;
    std::ranges::replace(text, '/', '_');
    replace_all(pattern, part.place, text);
  }
  return pattern;
}

// "{tau} or {side}"
std::string places_of(const PolicyName& name) {
  std::string places;
  for (const NamePart& part : name) places.append(places.empty() ? "" : " or ").append(part.place);
  return places;
}

}  // namespace

std::vector<PolicyName> policy_names(const std::vector<Question>& questions) {
  std::vector<PolicyName> names;
  names.reserve(questions.size());
  for (const Question& question : questions) {
    names.push_back(
        {{"{tau}", to_text(question.tau)}, {"{side}", std::string(to_text(question.side))}});
  }
  return names;
}

std::vector<PolicyName> policy_names_of_criterion(const std::vector<Rational>& taus) {
  if (taus.empty()) return {PolicyName()};
  std::vector<PolicyName> names;
  names.reserve(taus.size());
  for (const Rational& tau : taus) names.push_back({{"{tau}", to_text(tau)}});
  return names;
}

std::vector<PolicyName> policy_names(const std::vector<std::string>& targets) {
  std::vector<PolicyName> names;
  names.reserve(targets.size());
  for (const std::string& target : targets) names.push_back({{"{target}", target}});
  return names;
}

PolicyFiles::PolicyFiles(const std::optional<std::string>& pattern,
                         const std::vector<PolicyName>& names,
                         const std::vector<InputFile>& inputs) {
  if (!pattern) return;
  std::set<std::string> taken;
  for (const PolicyName& name : names) {
    const std::string path = path_of(*pattern, name);
    // Two names of one file are one place, too. A device has none of its own.
    const std::string file = path == "-" ? std::string() : file_written_at(path);
    if (!taken.insert(file.empty() ? path : file).second) {
      throw Error(ErrorCode::bad_request,
                  "--policy-out",
                  fmt::format("several results would be written to '{}', expected {} in the name "
                              "to tell them apart",
                              visible(path),
                              places_of(name)));
    }
    require_writable(path, "--policy-out", inputs);
    paths_.push_back(path);
  }
}

void PolicyFiles::keep_apart_from(const std::string& path) const {
  for (const std::string& own : paths_) require_apart(own, "--policy-out", path, "the report");
}

// An answer is not lost with its policy: what stands in the way is said, and the report follows.
ExitCode PolicyFiles::write(const std::vector<PolicyToWrite>& policies,
                            const Model& model,
                            Options options,
                            const TimeLeft& clock,
                            bool quiet) const {
  if (is_silent()) return ExitCode::solved;
  ExitCode code = ExitCode::solved;
  std::size_t written = 0;
  bool is_over = false;
  const auto has_ended = [&] { return clock.is_up() || InterruptGuard::later_flag()->load(); };
  options.stop = InterruptGuard::later_flag();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (!policies[i].policy) {
      if (!quiet)
        print_notices({fmt::format("{}: not written: {}", paths_[i], policies[i].missing)});
      continue;
    }
    is_over = is_over || has_ended();
    if (is_over) continue;
    try {
      const Policy policy = policies[i].policy();
      options.time_limit_seconds = clock.seconds();
      write_output(paths_[i], format_policy(policy, model, options));
      ++written;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::io && error.code() != ErrorCode::refused) throw;
      is_over = error.code() == ErrorCode::refused && has_ended();
      if (is_over) continue;
      const bool is_io = error.code() == ErrorCode::io;
      print_error(is_io ? std::string(error.what())
                        : fmt::format("quantiplan: {}: not written: {}", paths_[i], error.what()));
      code = worse(code, is_io ? ExitCode::refused : ExitCode::ended_early);
    }
  }
  if (!is_over) return code;
  const bool is_stopped = InterruptGuard::later_flag()->load();
  print_error(
      fmt::format("quantiplan: --policy-out: {} when {} of {} policies were written{}",
                  is_stopped ? "interrupted" : "the time limit was met",
                  written,
                  std::ranges::count_if(policies, [](const auto& p) { return bool(p.policy); }),
                  is_stopped ? "" : "; expected a longer --time-limit"));
  return worse(code, ExitCode::ended_early);
}

}  // namespace quantiplan::cli
