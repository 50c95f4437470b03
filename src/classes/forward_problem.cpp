// The forward engine: the wealth so far is part of the state.
#include <algorithm>

#include "classes/forward_pass.hpp"
#include "classes/node_policy.hpp"
#include "classes/preference_problem.hpp"

namespace quantiplan {
namespace {

class ForwardProblem final : public PreferenceProblem {
 public:
  ForwardProblem(const Model& model,
                 const ResolvedSetting& setting,
                 std::shared_ptr<Structure> structure)
      : model_(model), setting_(setting), structure_(std::move(structure)) {}

  bool lay_out(Limits& limits) override {
    auto expansion = expand(model_, setting_, structure_, limits);
    if (!expansion) return false;
    expansion_ = std::make_shared<const Expansion>(*std::move(expansion));
    return true;
  }
  [[nodiscard]] std::vector<WealthId> classes() const override {
    return expansion_->final_classes.representative;
  }
  std::optional<std::vector<double>> chances(std::span<const std::uint32_t> classes,
                                             Limits& limits) override {
    if (classes.size() == 1) {
      ++passes_;
      const auto one = forward_pass<Real>(*expansion_, classes.front(), limits);
      if (!one) return std::nullopt;
      return std::vector<double>{*one};
    }
    passes_ += (classes.size() + kLanes - 1) / kLanes;
    lanes_ += classes.size();
    return forward_passes(*expansion_, classes, limits);
  }
  std::optional<Rational> exact_chance(std::uint32_t k, Limits& limits) override {
    ++exact_passes_;
    return forward_pass<Exact>(*expansion_, k, limits);
  }
  std::optional<bool> is_sure(std::uint32_t k, Limits& limits) override {
    return on_graph<Sure>(k, limits);
  }
  std::optional<bool> is_possible(std::uint32_t k, Limits& limits) override {
    return on_graph<Possible>(k, limits);
  }

  Policy policy(std::uint32_t k, PreferenceMethod method, Limits& limits) override {
    NodeChoices choices;
    switch (method) {
      case PreferenceMethod::real:
        forward_pass<Real>(*expansion_, k, limits, &choices);
        break;
      case PreferenceMethod::exact:
        forward_pass<Exact>(*expansion_, k, limits, &choices);
        break;
      case PreferenceMethod::sure:
        forward_pass<Sure>(*expansion_, k, limits, &choices);
        break;
      case PreferenceMethod::possible:
        forward_pass<Possible>(*expansion_, k, limits, &choices);
        break;
    }
    if (limits.ended()) refuse_unfinished("policy");
    return policy_of_nodes(*expansion_, setting_, choices);
  }

  [[nodiscard]] std::shared_ptr<const Expansion> expansion() const override { return expansion_; }
  [[nodiscard]] std::uint64_t products() const override { return expansion_->arcs; }
  [[nodiscard]] bool answers_all_at_once() const override { return false; }
  [[nodiscard]] std::string name() const override { return "forward"; }
  void add_work(Work& work) const override {
    work.passes += passes_ + exact_passes_;
    work.triples += expansion_ ? expansion_->nodes : 0;
    if (!expansion_) return;
    work.breakpoints += expansion_->nodes;
    work.multiply_adds += expansion_->arcs * (passes_ + lanes_);
    work.exact_nodes += expansion_->nodes * exact_passes_;
  }

 private:
  template <class Algebra>
  std::optional<bool> on_graph(std::uint32_t k, Limits& limits) {
    ++passes_;
    const auto found = forward_pass<Algebra>(*expansion_, k, limits);
    if (!found) return std::nullopt;
    return *found != 0;
  }

  Model model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  std::shared_ptr<const Expansion> expansion_;
  std::uint64_t passes_ = 0;
  std::uint64_t lanes_ = 0;
  std::uint64_t exact_passes_ = 0;
};

}  // namespace

std::shared_ptr<PreferenceProblem> forward_problem(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   std::shared_ptr<Structure> structure) {
  return std::make_shared<ForwardProblem>(model, setting, std::move(structure));
}

}  // namespace quantiplan
