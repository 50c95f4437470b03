#include "endless_solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "functional_iteration.hpp"
#include "instance.hpp"
#include "plan.hpp"
#include "quantiplan/error.hpp"
#include "quoted.hpp"
#include "recast.hpp"
#include "rounding_bound.hpp"
#include "stopwatch.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void refuse_mixed_signs(const Moves& moves, const Signs& signs) {
  const auto named = [&](const Signs::Where& where) {
    return fmt::format("state {}, choice {}",
                       quoted(moves.model->state_name(moves.state[where.slot])),
                       quoted(moves.model->action_name(moves.choice[where.choice])));
  };
  const bool flipped = moves.sign < 0;
  throw Error(
      ErrorCode::refused,
      "rewards",
      fmt::format("at the infinite horizon without discount, {} can give a reward above 0 and {} "
                  "one below 0, and episodes can go in circles; expected rewards of one sign, a "
                  "--discount below 1, or a finite --horizon",
                  named(flipped ? *signs.loss : *signs.gain),
                  named(flipped ? *signs.gain : *signs.loss)));
}

// Nullptr if the limits ended it.
std::shared_ptr<EndlessGround> lay_out(const Model& model,
                                       const ResolvedSetting& setting,
                                       const Options& options) {
  options.validate();
  auto ground = std::make_shared<EndlessGround>(model, setting, options);
  auto moves = Moves::lay_out(model, setting, ground->limits);
  if (!moves) return nullptr;
  ground->moves = *std::move(moves);
  const Signs signs = signs_of(ground->moves);
  if (signs.gain && signs.loss) refuse_mixed_signs(ground->moves, signs);
  ground->event.gains = !signs.loss;
  if (!setting.goal.empty()) ground->event.miss = setting.adversarial ? Miss::best : Miss::worst;
  return ground;
}

EngineReport report_of(const Options& options, const EndlessSeries& series) {
  EngineReport report = no_engine_report(options);
  report.used = fmt::format("epochs ({})", series.was_exact() ? "exact" : "double");
  report.why = fmt::format(
      "infinite horizon without discount, so the residual target is gone through level by level; "
      "{}",
      options.arithmetic == Arithmetic::exact ? "rationals throughout, as asked"
      : series.was_exact()
          ? "small enough for rationals throughout"
          : "doubles with a certified error bound, open comparisons settled in rationals");
  return report;
}

// Counted questions: an adversary's are those of the other side.
Question counted(const Question& question, bool adversarial) {
  if (!adversarial) return question;
  return {Rational(1 - question.tau), question.side == Side::lower ? Side::upper : Side::lower};
}

Status status_of(const EndlessGround& ground, const LocatedLevel& where) {
  if (!where.ended) return Status::solved;
  return ground.limits.ended() ? ground.limits.status() : Status::limit_reached;
}

Certificate certificate_of(const WeightedGround& ground, const LocatedLevel& where) {
  if (where.lower == where.upper) return Certificate::exact;
  if (!where.is_open || where.ended || !ground.weights.is_exact) return Certificate::bracket;
  // A tie is between two neighbours.
  const bool neighbours = where.lower.is_finite() && where.upper.is_finite() &&
                          where.upper.value() - where.lower.value() <= ground.weights.unit;
  return neighbours ? Certificate::tie : Certificate::bracket;
}

// One question's answer, and the problem whose policy attains its lower end.
struct Found {
  std::shared_ptr<WeightedGround> ground;
  EndlessSeries::Found what;
};

bool is_narrow(const LocatedLevel& where, const std::optional<Rational>& epsilon) {
  if (where.lower == where.upper) return true;
  return epsilon && where.lower.is_finite() && where.upper.is_finite() &&
         where.upper.value() - where.lower.value() <= *epsilon;
}

Result as_result(const Question& question,
                 const Found& answer,
                 const std::optional<Rational>& epsilon) {
  const std::shared_ptr<WeightedGround>& ground = answer.ground;
  const EndlessSeries::Found& found = answer.what;
  const EndlessGround& common = *ground->ground;
  const LocatedLevel& where = found.where;
  const bool adversarial = common.setting.adversarial;
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status_of(common, where);
  result.certificate = certificate_of(*ground, where);
  // What is too close to call, and not a tie of two neighbours, is no solution.
  if (result.certificate == Certificate::bracket) {
    if (is_narrow(where, epsilon)) {
      result.status = Status::solved;
    } else if (result.status == Status::solved) {
      result.status = Status::limit_reached;
    }
  }
  result.quantile = adversarial ? where.upper.negated() : where.lower;
  result.upper = adversarial ? where.lower.negated() : where.upper;
  result.attained = where.attained || adversarial;
  const std::optional<Value>& own = found.probability;
  if (!adversarial) {
    if (result.attained) result.probability = own;
  } else if (found.beyond && where.lower == where.upper) {
    result.probability = complement(*found.beyond);
  }
  if (!where.attained && !adversarial) return result;
  if (where.ended && where.place != LocatedLevel::Place::level) return result;
  PolicyClaim claim;
  claim.tau = question.tau;
  claim.side = question.side;
  claim.quantile = *result.quantile;
  if (*result.upper != *result.quantile) claim.upper = result.upper;
  if (own) {
    claim.probability = own->nearest;
    claim.exact_probability = own->exact;
  }
  const bool rounded = !ground->weights.is_exact;
  if (rounded && result.probability && result.certificate != Certificate::exact)
    result.probability->exact.reset();
  // What is attained only above every number cannot be shown by one probability.
  const bool claims = (rounded || result.certificate == Certificate::exact) && own.has_value() &&
                      where.place != LocatedLevel::Place::above_limit;
  result.policy = [ground, where, method = found.method, claim, claims] {
    Policy policy = endless_policy(ground, where, method);
    if (claims) policy.claim = claim;
    return policy;
  };
  result.distribution = [ground, make = result.policy] {
    return evaluate(ground->ground->model, make(), ground->ground->options);
  };
  return result;
}

// Nothing is known but what is always true.
Result unknown_result(const ResolvedSetting& setting, const Question& question, Status status) {
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status;
  result.certificate = Certificate::bracket;
  result.quantile = setting.goal.empty() ? Total::minus_infinity() : Total::miss();
  result.upper = Total::plus_infinity();
  result.probability = Value{1, Rational(1)};
  return result;
}

Status ended_status(const EndlessGround& ground) {
  return ground.limits.ended() ? ground.limits.status() : Status::limit_reached;
}

[[noreturn]] void refuse_without_unit() {
  throw Error(ErrorCode::refused,
              "rewards",
              "their common unit is too small for 64-bit integers, which --exact needs; expected "
              "--arithmetic auto, or rewards with a coarser common denominator");
}

Status ended_status(const Options& options) {
  const Status status = Limits(options).status();
  return status == Status::solved ? Status::limit_reached : status;
}

// All questions of one call, exactly where that is affordable, else between rounded problems.
class EndlessQuestions {
 public:
  EndlessQuestions(std::shared_ptr<EndlessGround> ground, const std::vector<Question>& asked)
      : ground_(std::move(ground)), asked_(asked), epsilon_(ground_->options.epsilon) {
    for (const Question& question : asked)
      questions_.push_back(counted(question, ground_->setting.adversarial));
  }

  void run() {
    if (auto weights = exact_weights(ground_->moves)) {
      exact_ = make(*std::move(weights), kExactWork);
      for (auto& found : exact_->find(questions_)) found_.push_back({exact_->ground(), found});
    }
    const auto is_done = [&](const Found& found) { return !found.what.where.ended; };
    if (!exact_ && ground_->options.arithmetic == Arithmetic::exact) refuse_without_unit();
    const bool done = exact_ && std::ranges::all_of(found_, is_done);
    if (done || ground_->limits.ended() || ground_->options.arithmetic == Arithmetic::exact) return;
    run_rounded();
  }

  [[nodiscard]] std::vector<Result> results() const {
    std::vector<Result> out;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      out.push_back(i < found_.size() && found_[i].ground
                        ? as_result(asked_[i], found_[i], epsilon_)
                        : unknown_result(ground_->setting, asked_[i], ended_status(*ground_)));
    }
    return out;
  }
  // The series whose curve is shown; null if none went far enough to have one.
  [[nodiscard]] EndlessSeries* exact() const { return exact_.get(); }
  [[nodiscard]] const std::optional<Rational>& epsilon() const { return epsilon_; }
  [[nodiscard]] bool was_rounded() const { return rounds_ > 0; }
  [[nodiscard]] EngineReport report() const;
  void add_work(Work& work) const {
    if (exact_) exact_->add_work(work);
    work.passes += work_.passes;
    work.levels += work_.levels;
    work.multiply_adds += work_.multiply_adds;
    work.backups += work_.backups;
    work.breakpoints += work_.breakpoints;
  }

 private:
  // Some ten seconds of one core, for the exact levels and for each rounded problem.
  static constexpr std::uint64_t kExactWork = 6'000'000'000;
  static constexpr std::uint64_t kRoundedWork = 2'000'000'000;

  std::unique_ptr<EndlessSeries> make(Weights weights, std::uint64_t most_work) {
    auto weighted = std::make_shared<WeightedGround>(ground_, std::move(weights));
    const bool forever = ground_->options.arithmetic == Arithmetic::exact;
    return std::make_unique<EndlessSeries>(std::move(weighted), forever ? ~0ULL : most_work);
  }

  // Grids of a quarter of the greatest reward, and then four times as fine again and again.
  void run_rounded() {
    constexpr int kMostRounds = 24;
    const Rational greatest = greatest_reward_size(ground_->moves);
    if (!epsilon_) epsilon_ = Rational(greatest / 1000);
    Rational unit = greatest / 4;
    for (int round = 0; round < kMostRounds && !ground_->limits.ended(); ++round, unit /= 4) {
      if (!refine(unit)) return;
      ++rounds_;
      const auto narrow = [&](const Found& found) { return is_narrow(found.what.where, epsilon_); };
      if (std::ranges::all_of(found_, narrow)) return;
    }
  }

  // False if it took too long to be of use, and a finer one would take longer.
  bool refine(const Rational& unit) {
    const bool gains = ground_->event.gains;
    auto smaller = rounded_weights(ground_->moves, unit, Rounding::down);
    auto larger = rounded_weights(ground_->moves, unit, Rounding::up);
    if (!smaller || !larger) return false;
    // Rounded up, no reward becomes 0: infinities and misses are those of the truth.
    const auto low = make(gains ? *std::move(smaller) : *std::move(larger), kRoundedWork);
    const auto high = make(gains ? *std::move(larger) : *std::move(smaller), kRoundedWork);
    const auto below = low->find(questions_);
    const auto above = high->find(questions_);
    low->add_work(work_);
    high->add_work(work_);
    const auto& true_signs = gains ? above : below;
    bool useful = false;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      const LocatedLevel& sign = true_signs[i].where;
      if (!sign.ended && !sign.is_open && sign.place != LocatedLevel::Place::level) {
        set(i, {(gains ? high : low)->ground(), true_signs[i]});
        continue;
      }
      Found next{low->ground(), below[i]};
      next.what.where.upper = above[i].where.upper;
      next.what.where.ended = false;
      useful = useful || !below[i].where.ended || !above[i].where.ended;
      combine(i, std::move(next));
    }
    return useful;
  }

  void set(std::size_t i, Found found) {
    if (found_.size() <= i) found_.resize(i + 1);
    found_[i] = std::move(found);
  }

  void combine(std::size_t i, Found next) {
    if (found_.size() <= i || !found_[i].ground) {
      set(i, std::move(next));
      return;
    }
    Found& known = found_[i];
    if (is_narrow(known.what.where, std::nullopt) && !known.what.where.ended) return;
    const Total upper = std::min(known.what.where.upper, next.what.where.upper);
    if (next.what.where.lower > known.what.where.lower) known = std::move(next);
    known.what.where.upper = std::max(upper, known.what.where.lower);
    known.what.where.ended = false;
  }

  std::shared_ptr<EndlessGround> ground_;
  const std::vector<Question>& asked_;
  std::vector<Question> questions_;
  std::optional<Rational> epsilon_;
  std::unique_ptr<EndlessSeries> exact_;
  std::vector<Found> found_;
  int rounds_ = 0;
  Work work_;
};

EngineReport EndlessQuestions::report() const {
  if (rounds_ == 0 && !exact_) return no_engine_report(ground_->options);
  if (rounds_ == 0) return report_of(ground_->options, *exact_);
  EngineReport report = no_engine_report(ground_->options);
  report.used = fmt::format("epochs (double, {} rounded grids)", rounds_);
  report.why =
      "infinite horizon without discount, so the residual target is gone through level by level; "
      "there are too many exact levels, so rewards are rounded down and up to a grid";
  return report;
}

// The paper's stopping rule ends at a change of this much.
constexpr double kPaperChange = 1e-3;

// As the paper has it: no certificate, and no policy that one could rely on.
void answer_as_the_paper(const std::shared_ptr<EndlessGround>& ground,
                         const std::vector<Question>& asked,
                         Answer& answer) {
  const auto weights = exact_weights(ground->moves);
  if (!weights) {
    throw Error(ErrorCode::refused,
                "--engine",
                "the paper's iteration needs rewards with a common unit that fits 64-bit integers; "
                "expected auto");
  }
  const auto curve =
      iterate_functions(ground->moves, *weights, ground->event, kPaperChange, ground->limits);
  for (const Question& question : asked) {
    if (!curve) {
      answer.results.push_back(unknown_result(ground->setting, question, ground->limits.status()));
      continue;
    }
    const Question own = counted(question, ground->setting.adversarial);
    Total total = ground->event.miss == Miss::worst ? Total::miss()
                  : ground->event.gains             ? Total(0)
                                                    : Total::minus_infinity();
    constexpr std::int64_t kEvery = std::int64_t{1} << 60;
    double probability = 1;
    for (std::size_t k = 0; k < curve->upto.size(); ++k) {
      if (!reaches(Rational(curve->value[k]), 1 - own.tau, own.side)) break;
      probability = curve->value[k];
      total = curve->upto[k] > kEvery
                  ? Total::miss()
                  : Total(Rational(weights->unit *
                                   Rational(Integer(static_cast<long>(curve->upto[k])))));
    }
    Result result;
    result.tau = question.tau;
    result.side = question.side;
    result.status = Status::solved;
    result.certificate = Certificate::none;
    result.quantile = ground->setting.adversarial ? total.negated() : total;
    if (!ground->setting.adversarial) result.probability = Value{probability, std::nullopt};
    answer.results.push_back(std::move(result));
  }
  answer.engine.given = answer.engine.used = "paper";
  if (curve) {
    answer.engine.used =
        fmt::format("paper (functional value iteration, {} iterations)", curve->iterations);
  }
  answer.engine.why =
      "the paper's stopping rule, as asked: UNSOUND, for comparison only; the number may be wrong "
      "by any amount, and nothing certifies it";
}

// Engines for finite horizons cannot serve here.
void require_engine(const Options& options) {
  if (options.engine == Engine::automatic || options.engine == Engine::epochs ||
      options.engine == Engine::paper)
    return;
  throw Error(ErrorCode::bad_request,
              "--engine",
              fmt::format("found '{}', expected auto, epochs or paper: the horizon is infinite and "
                          "there is no discount",
                          no_engine_report(options).given));
}

}  // namespace

Answer solve_endless(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options) {
  Answer answer;
  require_engine(options);
  const auto ground = lay_out(model, setting, options);
  if (ground && options.engine == Engine::paper) {
    answer_as_the_paper(ground, asked, answer);
    answer.work.peak_bytes = ground->limits.peak();
    return answer;
  }
  if (!ground) {
    answer.engine = no_engine_report(options);
    for (const Question& question : asked)
      answer.results.push_back(unknown_result(setting, question, ended_status(options)));
    return answer;
  }
  EndlessQuestions questions(ground, asked);
  questions.run();
  answer.results = questions.results();
  answer.engine = questions.report();
  if (questions.was_rounded()) answer.epsilon = questions.epsilon();
  questions.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

namespace {

// The greatest chance of one target, and the problem whose policy has it.
struct FoundChance {
  std::shared_ptr<WeightedGround> ground;
  EndlessSeries::Chance low;
  Value high;
};

// Exactly where that is affordable, else between rounded problems that grow finer until the two
// chances are a millionth apart.
class EndlessTargets {
 public:
  explicit EndlessTargets(std::shared_ptr<EndlessGround> ground) : ground_(std::move(ground)) {
    auto weights = exact_weights(ground_->moves);
    const bool exactly = ground_->options.arithmetic == Arithmetic::exact;
    if (!weights && exactly) refuse_without_unit();
    if (weights) exact_ = make(*std::move(weights), exactly ? ~0ULL : kExactWork);
  }

  std::optional<FoundChance> find(const Total& target, bool strictly) {
    if (exact_) {
      if (auto chance = exact_->chance(target, strictly)) {
        const Value high = chance->upper;
        return FoundChance{exact_->ground(), *std::move(chance), high};
      }
    }
    std::optional<FoundChance> best;
    Rational unit = greatest_reward_size(ground_->moves) / 4;
    constexpr int kMostRounds = 24;
    constexpr double kClose = 1e-6;
    for (int round = 0; round < kMostRounds && !ground_->limits.ended(); ++round, unit /= 4) {
      auto next = between(unit, target, strictly);
      if (!next) break;
      was_rounded_ = true;
      best = std::move(next);
      if (best->high.nearest - best->low.value.nearest <= kClose) break;
    }
    return best;
  }
  [[nodiscard]] EngineReport report() const {
    EngineReport report = no_engine_report(ground_->options);
    if (exact_ && !was_rounded_) return report_of(ground_->options, *exact_);
    report.used = "epochs (double, rounded grids)";
    report.why = "there are too many exact levels, so rewards are rounded down and up to a grid";
    return report;
  }
  void add_work(Work& work) const {
    if (exact_) exact_->add_work(work);
  }

 private:
  static constexpr std::uint64_t kExactWork = 6'000'000'000;
  static constexpr std::uint64_t kRoundedWork = 2'000'000'000;

  std::unique_ptr<EndlessSeries> make(Weights weights, std::uint64_t most_work) {
    return std::make_unique<EndlessSeries>(
        std::make_shared<WeightedGround>(ground_, std::move(weights)), most_work);
  }

  std::optional<FoundChance> between(const Rational& unit, const Total& target, bool strictly) {
    const bool gains = ground_->event.gains;
    auto smaller = rounded_weights(ground_->moves, unit, Rounding::down);
    auto larger = rounded_weights(ground_->moves, unit, Rounding::up);
    if (!smaller || !larger) return std::nullopt;
    const auto low = make(gains ? *std::move(smaller) : *std::move(larger), kRoundedWork);
    const auto high = make(gains ? *std::move(larger) : *std::move(smaller), kRoundedWork);
    auto below = low->chance(target, strictly);
    const auto above = high->chance(target, strictly);
    if (!below || !above) return std::nullopt;
    return FoundChance{low->ground(), *std::move(below), above->upper};
  }

  std::shared_ptr<EndlessGround> ground_;
  std::unique_ptr<EndlessSeries> exact_;
  bool was_rounded_ = false;
};

}  // namespace

ThresholdAnswer threshold_endless(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options) {
  ThresholdAnswer answer;
  require_engine(options);
  const auto ground = lay_out(model, setting, options);
  const auto unknown = [&](const Total& target) {
    ThresholdResult result;
    result.target = target;
    result.status = ground ? ended_status(*ground) : ended_status(options);
    result.certificate = Certificate::bracket;
    result.probability = Value{0, Rational(0)};
    result.upper = Value{1, Rational(1)};
    return result;
  };
  if (!ground) {
    answer.engine = no_engine_report(options);
    for (const Total& target : targets) answer.results.push_back(unknown(target));
    return answer;
  }
  EndlessTargets all(ground);
  for (const Total& target : targets) {
    const bool adversarial = setting.adversarial;
    const auto found =
        adversarial ? all.find(target.negated(), true) : all.find(target, false);
    if (!found) {
      answer.results.push_back(unknown(target));
      continue;
    }
    const EndlessSeries::Chance& chance = found->low;
    const WeightedGround& weighted = *found->ground;
    ThresholdResult result;
    result.target = target;
    result.status = Status::solved;
    const bool exact = chance.method == Method::exact && weighted.weights.is_exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    result.probability = adversarial ? complement_below(found->high) : chance.value;
    const Value high = adversarial ? complement_above(chance.value) : found->high;
    if (!exact) {
      result.upper = high;
      result.probability->exact.reset();
      result.upper->exact.reset();
    }
    PolicyClaim claim;
    claim.kind = PolicyClaim::Kind::threshold;
    claim.quantile = target;
    claim.probability = result.probability->nearest;
    claim.exact_probability = result.probability->exact;
    if (!exact) claim.most_probability = high.nearest;
    LocatedLevel where = chance.where;
    if (adversarial && where.lower.is_finite()) {
      // W < target is to be met: the adversary's own target is the next level above.
      const Rational steps = where.lower.value() / weighted.weights.unit;
      Integer down;
      mpz_fdiv_q(down.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
      where.lower = Rational(Rational(down + 1) * weighted.weights.unit);
    }
    result.policy = [own = found->ground, where, method = chance.method, claim] {
      Policy policy = endless_policy(own, where, method);
      policy.claim = claim;
      return policy;
    };
    answer.results.push_back(std::move(result));
  }
  answer.engine = all.report();
  all.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

Frontier frontier_endless(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options) {
  Frontier out;
  require_engine(options);
  const auto ground = lay_out(model, setting, options);
  std::vector<Result> results;
  std::optional<EndlessQuestions> questions;
  if (ground) {
    questions.emplace(ground, asked);
    questions->run();
    results = questions->results();
    out.engine = questions->report();
    questions->add_work(out.work);
    out.work.peak_bytes = ground->limits.peak();
  } else {
    out.engine = no_engine_report(options);
    for (const Question& question : asked)
      results.push_back(unknown_result(setting, question, ended_status(options)));
  }
  out.status = Status::solved;
  for (const Result& result : results) {
    if (result.status != Status::solved) out.status = result.status;
    out.quantiles.push_back(
        {result.tau, result.side, result.certificate, *result.quantile, *result.upper});
  }
  if (!questions || questions->exact() == nullptr) return out;
  if (questions->was_rounded()) out.epsilon = questions->epsilon();
  EndlessSeries& series = *questions->exact();
  bool exact = false;
  std::vector<FrontierStep> steps = series.curve(&exact);
  if (setting.adversarial && !steps.empty()) {
    // Guaranteed at -w: 1 less the greatest chance of more than w, which is that of the next step.
    std::vector<FrontierStep> mirrored;
    for (std::size_t i = steps.size(); i-- > 0;) {
      Value beyond{0, Rational(0)};
      if (i + 1 < steps.size()) {
        beyond = steps[i + 1].probability;
      } else if (const auto chance = series.chance(steps[i].wealth, true)) {
        beyond = chance->upper;
      }
      mirrored.push_back({steps[i].wealth.negated(), complement(beyond)});
    }
    steps = std::move(mirrored);
  }
  // One step for each stretch of equal values: the greatest total of it.
  for (FrontierStep& step : steps) {
    const auto same = [&](const Value& a, const Value& b) {
      return a.exact && b.exact ? *a.exact == *b.exact : a.nearest == b.nearest;
    };
    if (!out.steps.empty() && same(out.steps.back().probability, step.probability))
      out.steps.pop_back();
    out.steps.push_back(std::move(step));
  }
  if (!out.steps.empty()) {
    const bool at_top = ground->event.gains != setting.adversarial;
    out.upto = at_top ? out.steps.back().wealth : out.steps.front().wealth;
  }
  return out;
}

}  // namespace quantiplan
