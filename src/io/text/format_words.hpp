// Words that stand for values in model and policy files.
#pragma once

#include <string_view>

namespace quantiplan {

constexpr std::string_view kInfinite = "infinite";  // "horizon"
constexpr std::string_view kReward = "reward";      // "rewards"
constexpr std::string_view kCost = "cost";

}  // namespace quantiplan
