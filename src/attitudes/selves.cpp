#include "attitudes/selves.hpp"

#include <algorithm>
#include <memory>

#include "attitudes/futures.hpp"
#include "attitudes/plays.hpp"

namespace quantiplan {
namespace {

class SelvesPass {
 public:
  SelvesPass(const Stages& stages,
             const ExactNumbers& numbers,
             const SelvesAsked& asked,
             Limits& limits)
      : stages_(stages),
        asked_(asked),
        limits_(limits),
        every_(stages),
        futures_(stages, numbers, every_, limits),
        selves_(asked.questions.size()) {
    for (std::size_t i = 0; i < asked.questions.size(); ++i) {
      bars_.emplace_back(asked.questions[i], futures_.bound());
      selves_[i].best.resize(stages.horizon() + 1);
      selves_[i].allowed.resize(asked.deltas.size(), AllowedChoices(stages.horizon()));
      if (asked.replan) means_.push_back(std::make_unique<OwnMeans>(stages, numbers, limits));
    }
  }

  std::vector<Selves> run(Work& work) {
    const std::uint64_t horizon = stages_.horizon();
    for (Selves& self : selves_) self.best[horizon].resize(stages_.layer(horizon).size());
    Rational power = 1;
    std::vector<Rational> powers;
    for (std::uint64_t t = 0; t < horizon && !asked_.deltas.empty(); ++t) {
      powers.push_back(power);
      power *= stages_.setting().discount;
    }
    for (std::uint64_t t = horizon; t-- > 0;) {
      steps_.clear();
      for (const Rational& delta : asked_.deltas) steps_.push_back(in_steps(t, delta * powers[t]));
      ask_layer(t);
      futures_.make_layer(t);
      limits_.report("what later selves want",
                     static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    futures_.count(work);
    for (std::size_t i = 0; i < means_.size(); ++i) selves_[i].replanned = means_[i]->choices();
    return std::move(selves_);
  }

 private:
  // The most whole steps of a time that are no more than an amount, in units of time 0.
  [[nodiscard]] Integer in_steps(std::uint64_t t, const Rational& amount) const {
    const Rational ratio = amount / stages_.scale().wealth({1}, t);
    Integer whole;
    mpz_fdiv_q(whole.get_mpz_t(), ratio.get_num_mpz_t(), ratio.get_den_mpz_t());
    return whole;
  }

  void ask_layer(std::uint64_t t) {
    const Layer& layer = stages_.layer(t);
    for (Selves& self : selves_) {
      self.best[t].assign(layer.size(), 0);
      for (AllowedChoices& allowed : self.allowed)
        allowed[t].assign(stages_.model().choice_count(), false);
    }
    for (std::uint32_t slot = 0; slot < layer.size(); ++slot) {
      every_.choices(t, slot, choices_);
      if (choices_.empty()) continue;
      if (limits_.ended()) throw WorkEnded();
      for (std::size_t i = 0; i < selves_.size(); ++i) ask_self(t, slot, i);
    }
  }

  void ask_self(std::uint64_t t, std::uint32_t slot, std::size_t i) {
    std::vector<std::int64_t> own;
    own.reserve(choices_.size());
    for (const Choice c : choices_) own.push_back(futures_.quantile(t, slot, c, bars_[i]));
    const std::int64_t best = *std::ranges::max_element(own);
    selves_[i].best[t][slot] = best;
    for (std::size_t d = 0; d < asked_.deltas.size(); ++d) {
      for (std::size_t k = 0; k < choices_.size(); ++k) {
        const bool is_close = Integer(static_cast<long>(best - own[k])) <= steps_[d];
        selves_[i].allowed[d][t][index(choices_[k])] = is_close;
      }
    }
    if (means_.empty()) return;
    std::vector<Choice> likeliest = choices_;
    futures_.keep_likeliest(t, slot, best, likeliest);
    means_[i]->set_best(t, slot, likeliest);
  }

  const Stages& stages_;
  const SelvesAsked& asked_;
  Limits& limits_;
  EveryPolicy every_;
  Futures futures_;
  std::vector<Selves> selves_;
  std::vector<Bar> bars_;                         // by question
  std::vector<std::unique_ptr<OwnMeans>> means_;  // by question, if replanning is asked for
  std::vector<Integer> steps_;                    // the tolerances at the present time
  std::vector<Choice> choices_;
};

}  // namespace

std::uint64_t bytes_of_selves(const Stages& stages, const SelvesAsked& asked) {
  std::uint64_t slots = 0;
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t) slots += stages.layer(t).size();
  const std::uint64_t lists =
      asked.deltas.size() * (stages.horizon() + 1) * (stages.model().choice_count() / 8 + 48);
  return asked.questions.size() *
         (slots * (sizeof(std::int64_t) + (asked.replan ? OwnMeans::kBytesPerSlot : 0)) + lists);
}

std::vector<Selves> find_selves(const Stages& stages,
                                const ExactNumbers& numbers,
                                const SelvesAsked& asked,
                                Limits& limits,
                                Work& work) {
  return SelvesPass(stages, numbers, asked, limits).run(work);
}

}  // namespace quantiplan
