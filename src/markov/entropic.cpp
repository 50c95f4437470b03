#include "markov/entropic_search.hpp"
#include "markov/markov_call.hpp"
#include "markov/markov_optimum.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

void require_probability(const Rational& tau) {
  if (tau < 0 || tau > 1)
    throw Error(
        ErrorCode::bad_request, "tau", "found " + to_text(tau) + ", expected a number from 0 to 1");
}

}  // namespace

MarkovOptimum entropic_optimum(const Model& model,
                               const ResolvedSetting& setting,
                               const Rational& beta,
                               const std::optional<Rational>& epsilon,
                               const Options& options) {
  if (beta <= 0)
    throw Error(
        ErrorCode::bad_request, "beta", "found " + to_text(beta) + ", expected more than 0");
  MarkovCall call(model, setting, "entropic", epsilon, options, 2);
  try {
    EntropicSearch search(call.reachable, call.epsilon, call.is_exact, call.limits);
    MarkovDecisions decisions;
    const EntropicValue found = search.at(beta, &decisions);
    if (found.is_missed) return call.of(search.mean());
    MarkovOptimum optimum;
    optimum.lower = Total(found.lower);
    optimum.upper = Total(found.upper);
    optimum.policy = call.policy(std::move(decisions));
    optimum.passes = search.passes();
    optimum.beta = beta;
    call.set_status(optimum);
    return optimum;
  } catch (const MarkovPassEnded&) {
    return call.nothing_known();
  }
}

MarkovOptimum nested_cvar_optimum(const Model& model,
                                  const ResolvedSetting& setting,
                                  const Rational& tau,
                                  const std::optional<Rational>& epsilon,
                                  const Options& options) {
  require_probability(tau);
  MarkovCall call(model, setting, "nested-cvar", epsilon, options, 1);
  try {
    return call.of(recursive_value(
        call.reachable, StepMeasure::cvar(tau), call.epsilon / 2, call.is_exact, call.limits));
  } catch (const MarkovPassEnded&) {
    return call.nothing_known();
  }
}

}  // namespace quantiplan
