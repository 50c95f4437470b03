#include "quantiplan/each_start.hpp"

#include <map>
#include <numeric>

#include "api/answering.hpp"
#include "api/route.hpp"
#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan {
namespace {

Setting from_one(const Model& model, Setting setting, State start) {
  setting.initial = InitialNames(std::string(model.state_name(start)));
  return setting;
}

// The problem from all of them together; null where nothing can be shared.
std::unique_ptr<QuantileProblem> problem_of_all(const Model& model,
                                                const std::vector<State>& starts,
                                                const Setting& setting,
                                                const Options& options) {
  const bool is_sum = !setting.structure && !goes_by_classes(model, options);
  if (starts.size() < 2 || !is_sum || options.ranks != nullptr) return nullptr;
  ResolvedSetting resolved = resolve(model, from_one(model, setting, starts.front()));
  std::vector<InitialStates::Drawn> drawn;
  const Rational each(1, static_cast<unsigned long>(starts.size()));
  for (const State s : starts) drawn.push_back({s, each});
  resolved.initial = InitialStates(std::move(drawn));
  try {
    auto out = route_sums(model, resolved, options);
    return out->from_start(starts.front()) ? std::move(out) : nullptr;
  } catch (const Error& error) {
    // What holds for one of them, it says by itself.
    if (error.code() != ErrorCode::refused) throw;
    return nullptr;
  }
}

// For each state the first one whose answer serves it.
std::vector<std::size_t> served_by(const Model& model,
                                   const std::vector<State>& starts,
                                   const Setting& setting,
                                   const Options& options) {
  if (!options.check) return alike_starts(model, starts, setting, options);
  std::vector<std::size_t> first(starts.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;  // every policy is to be checked
}

// Answers and policies of another state serve this one, but policies begin elsewhere: they are found
// when they are asked for. `again` answers for this state alone.
void move_policies(Answer& answer, const std::function<Answer()>& again) {
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    Result& result = answer.results[i];
    if (result.policy) result.policy = [again, i] { return again().results[i].policy(); };
    if (result.mixed)
      result.mixed.change([&](Mixed& mixed) {
        mixed.policy = [again, i] { return again().results[i].mixed->policy(); };
      });
  }
}
void move_policies(ThresholdAnswer& answer, const std::function<ThresholdAnswer()>& again) {
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    ThresholdResult& result = answer.results[i];
    if (result.policy) result.policy = [again, i] { return again().results[i].policy(); };
  }
}
void move_policies(Frontier& answer, const std::function<Frontier()>& again) {
  if (answer.policy) answer.policy = [again] { return again().policy(); };
}

template <class AnyAnswer, class AnyQuery>
using AnswerOne = AnyAnswer (*)(const Model&,
                                const AnyQuery&,
                                const ResolvedSetting&,
                                const Options&,
                                std::unique_ptr<QuantileProblem>);

template <class AnyAnswer, class AnyQuery>
void answer_each(const Model& model,
                 const std::vector<State>& starts,
                 const AnyQuery& asked,
                 const Options& asked_options,
                 AnswerOne<AnyAnswer, AnyQuery> answer,
                 const TakeAnswer<AnyAnswer>& take) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  refuse_checkpoints(options, "several initial states", "one of them");
  const auto all = problem_of_all(model, starts, asked.setting, options);
  const std::vector<std::size_t> first = served_by(model, starts, asked.setting, options);
  std::map<std::size_t, AnyAnswer> known;  // those that serve several
  for (std::size_t i = 0; i < starts.size(); ++i)
    if (first[i] < i) known[first[i]];
  for (std::size_t i = 0; i < starts.size(); ++i) {
    AnyQuery query = asked;
    query.setting = from_one(model, asked.setting, starts[i]);
    if (first[i] < i) {
      AnyAnswer out = known[first[i]];
      out.model.initial = *query.setting.initial;
      const auto again = [model, query, answer, kept = for_later(options)] {
        const LaterWork later(kept);
        return answer(model, query, resolve(model, query.setting), later.options(), nullptr);
      };
      move_policies(out, std::function<AnyAnswer()>(again));
      take(i, std::move(out));
      continue;
    }
    AnyAnswer out = answer(model,
                           query,
                           resolve(model, query.setting),
                           options,
                           all ? all->from_start(starts[i]) : nullptr);
    const auto serves = known.find(i);
    if (serves != known.end()) serves->second = out;
    take(i, std::move(out));
  }
}

}  // namespace

void solve_each(const Model& model,
                const std::vector<State>& starts,
                const Query& query,
                const Options& options,
                const TakeAnswer<Answer>& take) {
  answer_each<Answer, Query>(model, starts, query, options, answer_solve, take);
}

void threshold_each(const Model& model,
                    const std::vector<State>& starts,
                    const ThresholdQuery& query,
                    const Options& options,
                    const TakeAnswer<ThresholdAnswer>& take) {
  answer_each<ThresholdAnswer, ThresholdQuery>(
      model, starts, query, options, answer_threshold, take);
}

void frontier_each(const Model& model,
                   const std::vector<State>& starts,
                   const Query& query,
                   const Options& options,
                   const TakeAnswer<Frontier>& take) {
  answer_each<Frontier, Query>(model, starts, query, options, answer_frontier, take);
}

}  // namespace quantiplan
