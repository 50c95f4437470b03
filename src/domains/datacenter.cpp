#include "domains/datacenter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "domains/grid_numbers.hpp"
#include "domains/parameter_checks.hpp"
#include "domains/poisson.hpp"

namespace quantiplan {
namespace {

std::uint32_t most_jobs(const DatacenterParameters& p) { return p.jobs_per_server * p.servers; }
std::uint32_t start_on(const DatacenterParameters& p) {
  return p.initial_on.value_or((p.servers + 1) / 2);
}
std::uint32_t start_jobs(const DatacenterParameters& p) {
  return p.initial_jobs.value_or(p.servers);
}

std::size_t regime(const DatacenterParameters& p, std::uint32_t jobs) {
  std::size_t i = 0;
  while (i < p.cut_halves.size() && jobs > p.cut_halves[i] * p.servers / 2) ++i;
  return i;
}

std::int64_t reward(const DatacenterParameters& p,
                    std::uint32_t on,
                    std::uint32_t jobs,
                    std::uint32_t next) {
  const std::int64_t over =
      std::max<std::int64_t>(0, std::int64_t{jobs} - std::int64_t{p.capacity} * on);
  const std::int64_t change = next > on ? next - on : on - next;
  const std::int64_t overload = p.overload_job * over + (over > 0 ? p.overload_step : 0);
  return -(std::int64_t{p.power} * on + overload + p.switching * change);
}

// Names of all states, the jobs running fastest.
class StateNames {
 public:
  StateNames(const DatacenterParameters& p, WorkWatch* watch) : jobs_(most_jobs(p)) {
    if (watch != nullptr)
      watch->ask_if_large(std::uint64_t{p.servers} * jobs_ * sizeof(std::string));
    names_.reserve(std::size_t{p.servers} * jobs_);
    for (std::uint32_t on = 1; on <= p.servers; ++on) {
      for (std::uint32_t jobs = 1; jobs <= jobs_; ++jobs) {
        names_.push_back(fmt::format("on={},jobs={}", on, jobs));
      }
    }
  }
  const std::string& operator()(std::uint32_t on, std::uint32_t jobs) const {
    return names_[std::size_t{on - 1} * jobs_ + (jobs - 1)];
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::uint32_t jobs_;
  std::vector<std::string> names_;
};

}  // namespace

void DatacenterParameters::validate() const {
  ParameterChecks check;
  const auto weight = [&](std::string_view name, std::uint32_t value) {
    check.want(value <= 1'000'000, name, value, "at most 10^6");
  };
  check.whole("servers", servers, 1, 1000);
  check.setting(horizon, discount);
  check.whole("jobs-per-server", jobs_per_server, 1, 100);
  for (const std::uint32_t mean : mean_halves) check.whole("mean-halves", mean, 1, 200);
  check.want(cut_halves[0] <= cut_halves[1], "cut-halves", cut_halves[0], "ascending");
  check.want(cut_halves[1] <= 200, "cut-halves", cut_halves[1], "at most 200");
  check.want(grid >= 1 && grid <= GridNumbers::kFinest, "grid", grid, "from 1 to 10^9");
  check.want(capacity <= 100, "capacity", capacity, "at most 100");
  weight("power", power);
  weight("overload-job", overload_job);
  weight("overload-step", overload_step);
  weight("switching", switching);
  check.done();
  const std::uint32_t on = start_on(*this);
  const std::uint32_t jobs = start_jobs(*this);
  check.want(on >= 1 && on <= servers, "initial-on", on, "from 1 to servers");
  check.want(jobs >= 1 && jobs <= most_jobs(*this),
             "initial-jobs",
             jobs,
             "from 1 to jobs-per-server * servers");
  check.done();
}

Model datacenter(const DatacenterParameters& parameters, WorkWatch* watch) {
  const DatacenterParameters& p = parameters;
  p.validate();
  const StateNames name(p, watch);
  GridNumbers probabilities(p.grid);
  std::vector<std::vector<std::uint64_t>> laws;
  for (const std::uint32_t halves : p.mean_halves) {
    laws.push_back(poisson_units((halves * p.servers + 1) / 2, 1, most_jobs(p), p.grid));
  }

  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("datacenter-{}", p.servers));
  builder.horizon(p.horizon).discount(p.discount).initial(name(start_on(p), start_jobs(p)));
  for (const std::string& state : name.all()) builder.declare_state(state);
  for (std::uint32_t on = 1; on <= p.servers; ++on) {
    for (std::uint32_t jobs = 1; jobs <= most_jobs(p); ++jobs) {
      const std::vector<std::uint64_t>& law = laws[regime(p, jobs)];
      for (std::uint32_t next = 1; next <= p.servers; ++next) {
        builder.begin_choice(name(on, jobs), fmt::format("{} on", next));
        const Number gain = reward(p, on, jobs, next);
        for (std::uint32_t i = 0; i < law.size(); ++i) {
          if (law[i] > 0) builder.add_outcome(name(next, i + 1), probabilities[law[i]], gain);
        }
      }
    }
  }
  return builder.build();
}

}  // namespace quantiplan
