#include <algorithm>
#include <array>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/measures.hpp"

namespace quantiplan {
namespace {

constexpr std::array<std::string_view, 9> kMeasures{"quantile",
                                                    "cvar",
                                                    "evar",
                                                    "mean",
                                                    "standard-deviation",
                                                    "worst-case",
                                                    "best-case",
                                                    "entropic",
                                                    "utility"};

Measure measure_named(std::string_view name, const std::string& place) {
  const auto found = std::ranges::find(kMeasures, name);
  if (found != kMeasures.end()) return static_cast<Measure>(found - kMeasures.begin());
  NearestName nearest(name);
  std::string list = "all";
  for (const std::string_view known : kMeasures) {
    nearest.offer(known);
    list += ", " + std::string(known);
  }
  throw Error(ErrorCode::bad_request,
              place,
              "found " + in_quotes(name) + ", expected some of " + list + nearest.suggestion());
}

}  // namespace

std::string_view to_text(Measure measure) { return kMeasures[static_cast<std::size_t>(measure)]; }

std::vector<Measure> parse_measures(std::string_view list, const std::string& place) {
  std::vector<Measure> measures;
  const auto add = [&](Measure measure) {
    if (std::ranges::find(measures, measure) == measures.end()) measures.push_back(measure);
  };
  while (true) {
    const auto comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (name == "all") {
      for (std::size_t i = 0; i < kMeasures.size(); ++i) add(static_cast<Measure>(i));
    } else {
      add(measure_named(name, place));
    }
    if (comma == std::string_view::npos) return measures;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace quantiplan
