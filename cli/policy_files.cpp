#include "policy_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "console.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

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

std::vector<PolicyName> policy_names(const std::vector<Total>& targets) {
  std::vector<PolicyName> names;
  names.reserve(targets.size());
  for (const Total& target : targets) names.push_back({{"{target}", to_text(target)}});
  return names;
}

PolicyFiles::PolicyFiles(const std::optional<std::string>& pattern,
                         const std::vector<PolicyName>& names,
                         const std::vector<InputFile>& inputs) {
  if (!pattern) return;
  std::set<std::string> taken;
  for (const PolicyName& name : names) {
    const std::string path = path_of(*pattern, name);
    if (!taken.insert(path).second) {
      throw Error(ErrorCode::bad_request,
                  "--policy-out",
                  fmt::format("several results would be written to '{}', expected {} in the name "
                              "to tell them apart",
                              path,
                              places_of(name)));
    }
    require_writable(path, "--policy-out", inputs);
    paths_.push_back(path);
  }
}

void PolicyFiles::keep_apart_from(const std::string& path) const {
  for (const std::string& own : paths_) {
    if (own == "-" ? path != "-" : !is_same_file(own, path)) continue;
    throw Error(ErrorCode::bad_request,
                "--policy-out",
                fmt::format("{} takes the report already, expected another file name",
                            own == "-" ? "standard output" : fmt::format("'{}'", own)));
  }
}

void PolicyFiles::write(const std::vector<PolicyToWrite>& policies,
                        const Model& model,
                        bool quiet) const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (policies[i].policy) {
      const std::string text = format_policy(policies[i].policy(), model);
      if (paths_[i] == "-") {
        print(text);
      } else {
        write_text(paths_[i], text);
      }
    } else if (!quiet) {
      print_notices({fmt::format("{}: not written: {}", paths_[i], policies[i].missing)});
    }
  }
}

}  // namespace quantiplan::cli
