// The results of a solver's questions, and better policies put into them: what many taus have in common is found
// once, and shared.
#include <map>
#include <tuple>

#include "finite/solve/solver.hpp"

namespace quantiplan {
namespace {

// Questions that are answered between two looks at the clock.
constexpr std::size_t kQuestionsPerPoll = 256;
bool is_time_to_look(std::size_t i) { return i % kQuestionsPerPoll == kQuestionsPerPoll - 1; }

// Where the greatest probability is known exactly, no less will do for whoever prefers it.
bool is_as_probable(const Wishes& wishes, const Result& result, const Value& probability) {
  if (wishes.prefer != Prefer::probability || !result.probability || !result.probability->exact)
    return true;
  return probability.exact && *probability.exact >= *result.probability->exact;
}

}  // namespace

template <class N>
std::vector<Result> Solver<N>::answer(const std::vector<Question>& asked, const Wishes& wishes) {
  // Many taus lead to one level: what they have in common is found once, and shared.
  std::vector<Located> located;
  std::vector<Result> distinct;
  std::vector<std::size_t> which;
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::size_t> known;
  for (const Question& question : asked) {
    if (is_time_to_look(which.size()) && layout_->limits.ended()) break;
    Located at = level_of(question);
    const auto [place, is_new] = known.emplace(
        std::tuple(at.range.lower, at.range.upper, at.settled.has_value()), distinct.size());
    which.push_back(place->second);
    if (!is_new) continue;
    distinct.push_back(result_of(question, at));
    located.push_back(std::move(at));
  }
  if (compare_) set_means(distinct, located);
  std::vector<Result> results;
  results.reserve(asked.size());
  std::vector<PromisedLevel> promised;
  promised.reserve(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    Result& result = results.emplace_back(distinct[which[i]]);
    result.tau = asked[i].tau;
    result.side = asked[i].side;
    const std::int64_t level = located[which[i]].range.lower;
    const bool is_up = is_time_to_look(i) && layout_->limits.ended();
    if (compare_ && !is_up) result.expectation_policy = compare(asked[i], level);
    promised.push_back({asked[i], level, &result});
  }
  prefer(wishes, promised, nullptr);
  for (std::size_t i = which.size(); i < asked.size(); ++i) results.push_back(partial(asked[i]));
  return results;
}

template <class N>
Result Solver<N>::partial(const Question& question) {
  const Window window = layout_->windows->start();
  // Certainty asks for the sure level; anything less may reach up to the greatest possible one.
  const bool surely = question.tau == 0 || window.sure == window.possible;
  std::optional<Result>& known = surely ? sure_partial_ : partial_;
  if (known) {
    known->tau = question.tau;
    known->side = question.side;
    return *known;
  }
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = layout_->limits.status();
  result.quantile = wealth(window.sure);
  result.upper = surely ? result.quantile : wealth(window.possible);
  result.certificate = surely ? Certificate::exact : Certificate::bracket;
  result.probability = Value::exactly(1);
  attach_policy(result, {{window.sure, window.sure}, std::nullopt});
  known = result;
  return result;
}

// Promises of one level with one policy and one bound share what is put, too.
template <class N>
void Solver<N>::put_all_better(const std::shared_ptr<PromisePasses>& passes,
                               const std::vector<PromiseFound>& found,
                               const Wishes& wishes,
                               const std::vector<PromisedLevel>& promised) {
  struct Put {
    std::size_t i;
    Shared<Value> probability;  // before
    Shared<Value> mean;
  };
  std::map<std::pair<std::int64_t, const PointOfHull*>, Put> last;
  for (std::size_t i = 0; i < promised.size(); ++i) {
    Result& result = *promised[i].result;
    Put own{i, result.probability, result.mean};
    const std::pair key(promised[i].level, found[i].kept.get());
    const auto known = last.find(key);
    const bool is_known = known != last.end() && known->second.probability.is(own.probability) &&
                          known->second.mean.is(own.mean) &&
                          found[known->second.i].bound == found[i].bound &&
                          found[known->second.i].weight == found[i].weight;
    if (!is_known) {
      put_better(passes, found[i], wishes, promised[i]);
      last.insert_or_assign(key, std::move(own));
      continue;
    }
    const Result& same = *promised[known->second.i].result;
    result.policy = same.policy;
    result.distribution = same.distribution;
    result.probability = same.probability;
    result.mean = same.mean;
    result.prefer = same.prefer;
    result.mean_bound = same.mean_bound;
    result.mean_weight = same.mean_weight;
  }
}

template <class N>
void Solver<N>::put_better(const std::shared_ptr<PromisePasses>& passes,
                           const PromiseFound& found,
                           const Wishes& wishes,
                           const PromisedLevel& promised) {
  Result& result = *promised.result;
  const MeanShape shape = mean_shape(wishes.bounded_means, *passes);
  if (found.kept && is_as_probable(wishes, result, found.kept->at.probability)) {
    const Prospect& at = found.kept->at;
    put_policy(layout_, rules_of(passes, found.kept->aim), promised.level, result);
    result.probability = shape.probability(at.probability);
    result.mean = shape.mean(at.mean, at.mean_error);
  }
  if (wishes.prefer == Prefer::probability || !result.mean) return;
  put_bound(found, shape, result);
}

// Each part claims its own probability, from which that of the mixture follows.

template std::vector<Result> Solver<double>::answer(const std::vector<Question>&, const Wishes&);
template Result Solver<double>::partial(const Question&);
template std::vector<Result> Solver<Rational>::answer(const std::vector<Question>&, const Wishes&);
template Result Solver<Rational>::partial(const Question&);
template void Solver<double>::put_all_better(const std::shared_ptr<PromisePasses>&,
                                             const std::vector<PromiseFound>&,
                                             const Wishes&,
                                             const std::vector<PromisedLevel>&);
template void Solver<double>::put_better(const std::shared_ptr<PromisePasses>&,
                                         const PromiseFound&,
                                         const Wishes&,
                                         const PromisedLevel&);
template void Solver<Rational>::put_all_better(const std::shared_ptr<PromisePasses>&,
                                               const std::vector<PromiseFound>&,
                                               const Wishes&,
                                               const std::vector<PromisedLevel>&);
template void Solver<Rational>::put_better(const std::shared_ptr<PromisePasses>&,
                                           const PromiseFound&,
                                           const Wishes&,
                                           const PromisedLevel&);

}  // namespace quantiplan
