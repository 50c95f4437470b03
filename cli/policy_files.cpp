#include "policy_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::cli {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string path_of(std::string pattern, const Question& question) {
  std::string tau = to_text(question.tau);
  std::ranges::replace(tau, '/', '_');
  replace_all(pattern, "{tau}", tau);
  replace_all(pattern, "{side}", to_text(question.side));
  return pattern;
}

}  // namespace

PolicyFiles::PolicyFiles(const std::optional<std::string>& pattern,
                         const std::vector<Question>& questions,
                         const std::vector<InputFile>& inputs) {
  if (!pattern) return;
  std::map<std::string, const Question*> owner;
  for (const Question& question : questions) {
    const std::string path = path_of(*pattern, question);
    const auto [known, is_new] = owner.emplace(path, &question);
    if (!is_new && (known->second->tau != question.tau || known->second->side != question.side)) {
      throw Error(
          ErrorCode::bad_request,
          "--policy-out",
          fmt::format("several results would be written to '{}', expected {{tau}} or {{side}} "
                      "in the name to tell them apart",
                      path));
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

void PolicyFiles::write(const Answer& answer, const Model& model, bool quiet) const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Result& result = answer.results[i];
    if (result.policy) {
      const std::string text = format_policy(result.policy(), model);
      if (paths_[i] == "-") {
        print(text);
      } else {
        write_text(paths_[i], text);
      }
    } else if (!quiet) {
      print_notices({fmt::format("{}: not written: no policy is known for tau {}, {} side",
                                 paths_[i],
                                 to_text(result.tau),
                                 to_text(result.side))});
    }
  }
}

}  // namespace quantiplan::cli
