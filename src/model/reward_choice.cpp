#include "model/reward_choice.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "base/whole_text.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string shown_name(const std::vector<std::string>& names, std::size_t i) {
  return names[i].empty() ? "number " + std::to_string(i + 1) : in_quotes(names[i]);
}

// "'time', number 2 and 3 others", without the one at `left_out`.
std::string list_of(const std::vector<std::string>& names, std::size_t left_out) {
  std::string list;
  std::size_t shown = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == left_out) continue;
    if (shown == kMostNamed) {
      ++others;
      continue;
    }
    list += (shown++ == 0 ? "" : ", ") + shown_name(names, i);
  }
  return others == 0 ? list : list + " and " + std::to_string(others) + " others";
}

}  // namespace

std::optional<std::size_t> choose_reward(const std::vector<std::string>& names,
                                         const std::optional<std::string>& wanted,
                                         const std::string& source,
                                         std::vector<std::string>& notices,
                                         bool keeps_all) {
  const std::string at = source.empty() ? "" : source + ": ";
  if (wanted && names.empty()) {
    throw Error(ErrorCode::bad_request,
                "--reward",
                "found " + in_quotes(*wanted) + ", but the model has no reward structure");
  }
  if (names.empty()) {
    notices.push_back(at + "no reward structure: every reward is 0");
    return std::nullopt;
  }
  if (wanted) {
    const auto found = std::ranges::find(names, *wanted);
    if (!wanted->empty() && found != names.end())
      return static_cast<std::size_t>(found - names.begin());
    const auto position = number_in<std::size_t>(*wanted);
    if (position && *position >= 1 && *position <= names.size()) return *position - 1;
    NearestName nearest(*wanted);
    for (const std::string& name : names) nearest.offer(name);
    throw Error(ErrorCode::bad_request,
                "--reward",
                "unknown reward structure " + in_quotes(*wanted) + ", must be " +
                    (names.size() == 1 ? "" : "one of ") + list_of(names, names.size()) +
                    ", or a number from 1 to " + std::to_string(names.size()) +
                    nearest.suggestion());
  }
  if (names.size() > 1 && !keeps_all) {
    notices.push_back(at + "the reward structure is " + shown_name(names, 0) + ", the first of " +
                      std::to_string(names.size()) +
                      "; --reward takes another: " + list_of(names, 0));
  }
  return 0;
}

}  // namespace quantiplan
