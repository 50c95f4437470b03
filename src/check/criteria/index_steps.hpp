// A model in whole steps of a grid: which moves there are at each time, and how many steps each of them counts.
//
//     H_t = unit / 2^(halvings so far)      k = gamma^t r / H_t, rounded
//
// Of a policy: its own grid, rounded down as it counts, the choices of its runs. Of all policies: that grid or a finer one,
// rounded up, all choices. At an infinite horizon the steps end where the policy's do, and what follows is bounded state by
// state: m(s) = min over outcomes (r + gamma m(s')) from min(0, rmin) / (1 - gamma) on, of all policies max.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

struct IndexMove {
  std::uint32_t next = 0;
  double p = 0;  // to nearest
  std::int64_t steps = 0;
  double gain = 0;  // gamma^t r itself, to nearest
};
struct IndexOption {
  std::int64_t upto = std::numeric_limits<std::int64_t>::max();  // of a policy
  std::vector<IndexMove> moves;
};

class IndexSteps {
 public:
  // Nullopt: no grid is known, or there is too much of it. A policy without a target goes by any. Without a grid of the policy all policies count in steps that
  // lose a quarter of `open` altogether, if that is not 0.
  static std::optional<IndexSteps> of_policy(const Model& model,
                                             const Policy& policy,
                                             CheckLimits& limits);
  static std::optional<IndexSteps> of_all(const Model& model,
                                          const Policy& policy,
                                          const Rational& open,
                                          int halvings,
                                          CheckLimits& limits);

  [[nodiscard]] const ResolvedSetting& setting() const { return *setting_; }
  [[nodiscard]] std::uint64_t count() const { return options_.size(); }
  [[nodiscard]] std::uint32_t states() const { return static_cast<std::uint32_t>(rest_.size()); }
  [[nodiscard]] bool is_end(std::uint32_t state) const { return is_end_[state] != 0; }
  // Runs by ascending `upto`; else any option may be taken.
  [[nodiscard]] bool has_runs() const { return has_runs_; }
  // Empty where there is no rule.
  [[nodiscard]] const std::vector<IndexOption>& options(std::uint64_t t,
                                                        std::uint32_t state) const {
    return options_[t][state];
  }
  [[nodiscard]] double size(std::uint64_t t) const { return sizes_[t]; }
  [[nodiscard]] std::int64_t ratio(std::uint64_t t) const { return ratios_[t]; }
  // What may follow the last step, in units of time 0; 0 over a finite horizon.
  [[nodiscard]] double rest(std::uint32_t state) const { return rest_[state]; }
  // Totals are target - j H; 0 for all policies.
  [[nodiscard]] const Rational& target() const { return target_; }
  [[nodiscard]] std::int64_t target_index() const { return target_index_; }

 private:
  IndexSteps() = default;
  static std::optional<IndexSteps> counted(const Model& model,
                                           const Policy& policy,
                                           const PolicyGrid& grid,
                                           std::uint64_t count,
                                           bool is_policy,
                                           CheckLimits& limits);

  const ResolvedSetting* setting_ = nullptr;
  bool has_runs_ = false;
  std::vector<char> is_end_;
  std::vector<std::vector<std::vector<IndexOption>>> options_;
  std::vector<double> sizes_;         // one more than times
  std::vector<std::int64_t> ratios_;  // H_t / H_{t+1}
  std::vector<double> rest_;
  Rational target_ = 0;
  std::int64_t target_index_ = 0;
};

}  // namespace quantiplan::checking
