#include "classes/class_search.hpp"

#include <bit>
#include <numeric>

#include "classes/forward_pass.hpp"

namespace quantiplan {
namespace {

// Rationals grow with every step: beyond so many products a tie stays one.
constexpr std::uint64_t kMostProductsOfATie = 20'000'000;

}  // namespace

ClassSearch::ClassSearch(std::shared_ptr<PreferenceProblem> problem,
                         const RoundingBound& bound,
                         bool exactly,
                         Limits& limits)
    : problem_(std::move(problem)),
      bound_(bound),
      exactly_(exactly),
      limits_(limits),
      count_(static_cast<std::uint32_t>(problem_->classes().size())) {}

void ClassSearch::prepare(std::size_t questions) {
  const std::size_t searches = questions * static_cast<std::size_t>(std::bit_width(count_));
  const std::size_t together = (count_ + kLanes - 1) / kLanes;
  if (exactly_ || problem_->answers_all_at_once() || together > searches) return;
  ask_all();
}

bool ClassSearch::ask_all() {
  std::vector<std::uint32_t> every(count_);
  std::iota(every.begin(), every.end(), 0U);
  ask_together(every);
  all_at_once_ = real_.size() == count_;
  return all_at_once_;
}

void ClassSearch::ask_together(const std::vector<std::uint32_t>& classes) {
  if (exactly_ || classes.empty()) return;
  const auto values = problem_->chances(classes, limits_);
  if (!values) return;
  for (std::size_t i = 0; i < classes.size(); ++i) real_.insert_or_assign(classes[i], (*values)[i]);
}

std::optional<ClassChance> ClassSearch::chance(std::uint32_t k) {
  const auto exactly = [](const Rational& p, PreferenceMethod method) {
    return ClassChance{Value::exactly(p), Value::exactly(p), method};
  };
  if (exactly_) {
    const Rational* value = exact(k);
    if (value == nullptr) return std::nullopt;
    return exactly(*value, PreferenceMethod::exact);
  }
  if (k == 0) return exactly(1, PreferenceMethod::sure);
  const double* value = real(k);
  if (value == nullptr) return std::nullopt;
  const Rational low = bound_.least(*value);
  const Rational high = bound_.most(*value);
  // Certainty is a question of the graph, which no rounding may blur.
  if (high >= 1) {
    const auto sure = problem_->is_sure(k, limits_);
    if (!sure) return std::nullopt;
    if (*sure) return exactly(1, PreferenceMethod::sure);
  }
  const Value most = Value::at_most(high);
  if (low > 0) return ClassChance{Value::at_least(low), most, PreferenceMethod::real};
  const auto possible = problem_->is_possible(k, limits_);
  if (!possible) return std::nullopt;
  if (!*possible) return exactly(0, PreferenceMethod::possible);
  return ClassChance{Value::at_least(0), most, PreferenceMethod::possible};
}

FoundClass ClassSearch::find(const Question& question) {
  FoundClass found;
  std::uint32_t low = 0;
  std::uint32_t high = count_;
  // A class that stays open; none while it is `high`. The search goes on at both sides of it.
  std::uint32_t open = high;
  while (high - low > 1) {
    std::uint32_t middle = low + (high - low) / 2;
    if (open < high) {
      if (open - low > 1)
        middle = low + (open - low) / 2;
      else if (high - open > 1)
        middle = open + (high - open) / 2;
      else
        break;
    }
    PreferenceMethod method = PreferenceMethod::real;
    const Meets answer = meets(middle, question, method);
    if (limits_.ended()) {
      found.ended = true;
      break;
    }
    if (answer == Meets::yes) {
      low = middle;
      found.method = method;
      if (open <= middle) open = high;
    } else if (answer == Meets::no) {
      if (open >= middle) open = middle;
      high = middle;
    } else if (open == high) {
      open = middle;
    } else {
      break;  // several stay open: a bracket
    }
  }
  found.position = low;
  found.beyond = high;
  if (low == 0) {
    found.method = exactly_ ? PreferenceMethod::exact : PreferenceMethod::sure;
    return found;
  }
  if (found.method == PreferenceMethod::sure) return found;
  if (const auto known = exact_.find(low); known != exact_.end()) {
    found.probability = Value::exactly(known->second);
    found.method = PreferenceMethod::exact;
  } else if (const double* value = real(low)) {
    found.probability = Value::between(bound_.least(*value), bound_.most(*value));
    // What is too small for a double has the policy of the graph.
    if (*value > 0) found.method = PreferenceMethod::real;
  }
  return found;
}

ClassSearch::Meets ClassSearch::meets(std::uint32_t k,
                                      const Question& question,
                                      PreferenceMethod& method) {
  const Rational theta = 1 - question.tau;
  if (!exactly_) {
    const double* value = real(k);
    if (value == nullptr) return Meets::unknown;
    if (bound_.certainly_reaches(*value, theta, question.side)) return Meets::yes;
    if (bound_.certainly_misses(*value, theta, question.side)) return Meets::no;
  }
  return settle(k, question, method);
}

ClassSearch::Meets ClassSearch::settle(std::uint32_t k,
                                       const Question& question,
                                       PreferenceMethod& method) {
  const Rational theta = 1 - question.tau;
  const auto said = [&](const std::optional<bool>& answer) {
    if (!answer) return Meets::unknown;
    return *answer ? Meets::yes : Meets::no;
  };
  if (!exactly_ && theta == 1) {
    method = PreferenceMethod::sure;
    return said(problem_->is_sure(k, limits_));
  }
  if (!exactly_ && theta == 0) {
    method = PreferenceMethod::possible;
    return said(problem_->is_possible(k, limits_));
  }
  const Rational* value = exact(k);
  if (value == nullptr) return Meets::unknown;
  method = PreferenceMethod::exact;
  return reaches(*value, theta, question.side) ? Meets::yes : Meets::no;
}

const Rational* ClassSearch::exact(std::uint32_t k) {
  const auto known = exact_.find(k);
  if (known != exact_.end()) return &known->second;
  if (!exactly_ && problem_->products() > kMostProductsOfATie) return nullptr;
  auto value = problem_->exact_chance(k, limits_);
  if (!value) return nullptr;
  return &exact_.emplace(k, *std::move(value)).first->second;
}

const double* ClassSearch::real(std::uint32_t k) {
  const auto known = real_.find(k);
  if (known != real_.end()) return &known->second;
  const std::uint32_t one[] = {k};
  const auto values = problem_->chances(one, limits_);
  if (!values) return nullptr;
  return &real_.emplace(k, values->front()).first->second;
}

std::optional<std::vector<Value>> ClassSearch::all() {
  std::vector<Value> out{Value::exactly(1)};
  if (!exactly_ && !problem_->answers_all_at_once() && !all_at_once_ && !ask_all())
    return std::nullopt;
  for (std::uint32_t k = 1; k < count_; ++k) {
    if (limits_.ended()) return std::nullopt;
    if (exactly_) {
      const Rational* value = exact(k);
      if (value == nullptr) return std::nullopt;
      out.push_back(Value::exactly(*value));
    } else {
      const double* value = real(k);
      if (value == nullptr) return std::nullopt;
      out.push_back(Value::between(bound_.least(*value), bound_.most(*value)));
    }
  }
  return out;
}

}  // namespace quantiplan
