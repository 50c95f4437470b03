// Can a policy be run to the end on every path? Each place (time, state, key) that is met with
// positive probability has a rule, whether or not the outcome is decided there; and what holds from
// a cut on is closed under what can follow.
//
// Settled by intervals if they have a rule everywhere (policy_reach.hpp). If not, the policy is
// followed place by place: a rule that lacks only where nobody comes is no fault. After a cut,
// rules that look at the residual might take any of their choices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/common/policy_reach.hpp"

namespace quantiplan::checking {

struct Coverage {
  std::optional<std::string> fault = std::nullopt;  // the policy lacks a rule that it needs
  std::optional<std::string> doubt = std::nullopt;  // .. or may
  std::uint64_t places = 0;                         // that were met, where they were counted

  // True if it has a rule wherever it comes.
  [[nodiscard]] bool report(Findings& findings) const {
    if (fault) findings.refute(*fault);
    if (doubt) findings.leave_open(*doubt);
    return !fault && !doubt;
  }
};

// The rules that hold from the cut on, wherever these states lead.
Coverage coverage_after_cut(const CheckCase& task,
                            std::uint64_t cut,
                            const std::vector<State>& states);

template <class Course>
class PlaceWalk {
 public:
  using Key = typename Course::Key;
  PlaceWalk(const CheckCase& task, const Ends& ends, Course& course)
      : task_(task), ends_(ends), course_(course), share_(task.limits) {}

  Coverage run() {
    std::vector<Place<Key>> layer;
    for (const State s : ends_.initial().states()) layer.push_back({s, course_.start()});
    for (std::uint64_t time = 0; time < ends_.horizon() && !layer.empty(); ++time) {
      coverage_.places += layer.size();
      course_.move_to(time);
      next_.clear();
      for (const Place<Key>& place : layer)
        if (!leave(time, place)) return std::move(coverage_);
      unique_places(next_, task_.limits);
      layer.swap(next_);
    }
    coverage_.places += layer.size();
    if (!ends_.is_cut()) return std::move(coverage_);
    std::vector<State> states;
    for (const Place<Key>& place : layer)
      if (states.empty() || states.back() != place.state) states.push_back(place.state);
    return coverage_after_cut(task_, ends_.horizon(), states);
  }

 private:
  bool leave(std::uint64_t time, const Place<Key>& place) {
    task_.limits.require();
    if (ends_.is_end(place.state)) return true;
    if (!course_.is_known(place.key)) {
      coverage_.doubt =
          "Whether the policy has a rule wherever it comes is open: it counts too far for that.";
      return false;
    }
    const bool has_rule = course_.for_each_run(
        time, place.state, place.key, place.key, [&](Choice c, const Key&, const Key&) {
          for (const Outcome& o : task_.model.outcomes(c)) {
            task_.limits.require(nanoseconds_of(place.key));
            add(o.next, course_.after(place.key, o));
          }
        });
    if (!has_rule)
      coverage_.fault = "The policy reaches " +
                        describe_place(task_.model, task_.policy, time, place.state) +
                        " and has no rule for it.";
    return has_rule && !coverage_.doubt;
  }

  void add(State s, Key key) {
    if (next_.size() == next_.capacity()) {
      unique_places(next_, task_.limits);
      if (next_.size() > Course::kMostPlaces)
        coverage_.doubt = "The policy was not followed: too many places can be reached.";
      const std::size_t wanted = std::max<std::size_t>(1024, 2 * next_.size());
      share_.set(3 * wanted * (sizeof(Place<Key>) + bytes_beside(key)) + course_.bytes());
      next_.reserve(wanted);
    }
    next_.push_back({s, std::move(key)});
  }

  const CheckCase& task_;
  const Ends& ends_;
  Course& course_;
  MemoryShare share_;
  std::vector<Place<Key>> next_;
  Coverage coverage_;
};

template <class Course>
Coverage coverage_of(const CheckCase& task,
                     const Ends& ends,
                     const PolicyReach<Course>& reach,
                     Course& course) {
  if (!reach.lacks_rules()) {
    std::vector<State> states;
    if (ends.is_cut() && reach.times() > ends.horizon())
      for (const auto& met : reach.layer(ends.horizon())) states.push_back(met.state);
    const Coverage after = coverage_after_cut(task, ends.horizon(), states);
    if (!after.fault && !after.doubt) return {};
  }
  return PlaceWalk<Course>(task, ends, course).run();
}

}  // namespace quantiplan::checking
