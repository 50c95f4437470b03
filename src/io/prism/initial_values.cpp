// Step 5 of compile(): the init block, by assigning one variable after the other.
//
// A part of the condition (its conjuncts) is tried as soon as its last variable has a value, so
// that x=0 & y=1 & ... costs the sum of the ranges, not their product. A part without a value then
// (1/y with y=0) may never be asked for: the whole condition decides, in its own order. What it finds
// is in the order of the values, the last variable changing fastest.
#include <algorithm>

#include "io/prism/program_compiler.hpp"

namespace quantiplan::prism {
namespace {

constexpr std::uint64_t kMostWork = 200'000'000;  // parts of expressions, some nanoseconds each
constexpr std::uint64_t kFaultWork = 1000;

class InitialSearch {
 public:
  InitialSearch(const Machine& machine, Root condition, WorkWatch& watch)
      : machine_(machine),
        watch_(watch),
        condition_(condition),
        parts_(machine.variables.size() + 1),
        values_(machine.variables.size()) {
    for (const Root part : machine.code.conjuncts(condition)) {
      const auto variables = machine.code.variables(part);
      parts_[variables.empty() ? 0 : variables.back() + 1U].push_back(part);
    }
    for (const MachineVariable& variable : machine.variables)
      ranges_.push_back({variable.low, variable.high});
    // x=5 leaves one value to try; whether it is in the range is seen by the whole condition.
    for (const Root part : machine.code.conjuncts(condition)) {
      const auto fixed = machine.code.fixed_value(part);
      if (!fixed) {
        if (!machine.code.never_fails(part)) break;
        continue;
      }
      Range& range = ranges_[fixed->variable];
      if (fixed->value >= range.low && fixed->value <= range.high)
        range = {fixed->value, fixed->value};
    }
  }

  // Throws Fault.
  std::vector<std::vector<std::int64_t>> find() {
    if (may_hold(0)) assign(0);
    return std::move(found_);
  }
  [[nodiscard]] bool gave_up() const { return work_ > kMostWork; }

 private:
  // False if a part is false that needs the first `known` variables.
  bool may_hold(std::size_t known) {
    ++work_;
    return std::ranges::all_of(parts_[known], [&](Root part) {
      work_ += machine_.code.parts(part);
      try {
        return machine_.code.truth(part, values_.data());
      } catch (const Fault&) {
        work_ += kFaultWork;
        return true;
      }
    });
  }

  // All variables have their values.
  void try_whole() {
    work_ += machine_.code.parts(condition_);
    if (!machine_.code.truth(condition_, values_.data())) return;
    watch_.ask_if_large(values_.size() * sizeof(std::int64_t));
    watch_.before_push(found_);
    found_.push_back(values_);
  }

  // One variable at a time, without recursion: there may be many.
  void assign(std::size_t v) {
    const std::size_t count = values_.size();
    if (count == 0) return try_whole();
    values_[0] = ranges_[0].low;
    for (;;) {
      if (gave_up()) return;
      watch_.step();
      const bool fits = may_hold(v + 1);
      if (fits && v + 1 == count) try_whole();
      if (fits && v + 1 < count) {
        ++v;
        values_[v] = ranges_[v].low;
        continue;
      }
      while (values_[v] == ranges_[v].high) {
        if (v == 0) return;
        --v;
      }
      ++values_[v];
    }
  }

  struct Range {
    std::int64_t low;
    std::int64_t high;
  };
  const Machine& machine_;
  WorkWatch& watch_;
  Root condition_;
  std::vector<Range> ranges_;             // of values to try
  std::vector<std::vector<Root>> parts_;  // by number of variables that must have a value
  std::vector<std::int64_t> values_;
  std::vector<std::vector<std::int64_t>> found_;
  std::uint64_t work_ = 0;
};

}  // namespace

void find_initial_values(
    Machine& machine, Root condition, Place place, Complaints& complaints, WorkWatch& watch) {
  InitialSearch search(machine, condition, watch);
  std::vector<std::vector<std::int64_t>> found;
  try {
    found = search.find();
  } catch (const Fault& fault) {
    complaints.fail(fault.place, "init: " + fault.message);
  }
  if (search.gave_up()) {
    complaints.fail(place,
                    "init leaves too many combinations of values to try; expected conditions on "
                    "single variables, as x=0 & y=1");
  }
  if (found.empty()) complaints.fail(place, "init gives no initial state, expected one");
  machine.initial = std::move(found);
}

}  // namespace quantiplan::prism
