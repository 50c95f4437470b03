#include <utility>

#include "base/quoted.hpp"
#include "model/builder_parts.hpp"
#include "model/setting_range.hpp"
#include "numbers/reward_decimals.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

ModelBuilder::ModelBuilder(std::string source)
    : parts_(std::make_unique<Parts>(std::move(source))) {}
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

ModelBuilder& ModelBuilder::watched_by(WorkWatch* watch) {
  parts_->watch = watch;
  return *this;
}

ModelBuilder& ModelBuilder::tolerance(const Rational& most) {
  if (most < 0 || most >= 1)
    throw Error(ErrorCode::bad_request,
                "--tolerance",
                "found " + to_text(most) + ", expected a number from 0 to below 1");
  parts_->tolerance = most;
  return *this;
}

const Rational& ModelBuilder::tolerance() const { return parts_->tolerance; }

ModelBuilder& ModelBuilder::round_rewards(std::uint32_t decimals) {
  if (decimals > kMostDecimals)
    throw Error(ErrorCode::bad_request,
                "--round-rewards",
                "found " + std::to_string(decimals) +
                    ", expected a whole number of decimals, at most " +
                    std::to_string(kMostDecimals));
  parts_->decimals = decimals;
  return *this;
}

ModelBuilder& ModelBuilder::name(std::string text) {
  parts_->name = std::move(text);
  return *this;
}

ModelBuilder& ModelBuilder::horizon(std::uint64_t steps, std::uint64_t line) {
  if (const std::string wrong = wrong_horizon(steps); !wrong.empty()) {
    parts_->add_problem(line, "horizon: " + wrong);
  }
  parts_->horizon = steps;
  return *this;
}

ModelBuilder& ModelBuilder::discount(const Number& gamma, std::uint64_t line) {
  if (const std::string wrong = wrong_discount(gamma.rational()); !wrong.empty()) {
    parts_->add_problem(line, "discount: " + wrong);
  }
  parts_->discount = gamma.rational();
  return *this;
}

ModelBuilder& ModelBuilder::goal(std::string state, std::uint64_t line) {
  parts_->goal.push_back({std::move(state), line});
  return *this;
}

ModelBuilder& ModelBuilder::rewards_are_costs(bool costs) {
  parts_->has_costs = costs;
  return *this;
}

ModelBuilder& ModelBuilder::initial(std::string state, std::uint64_t line) {
  parts_->initial.assign(1, {{std::move(state), line}, 1});
  return *this;
}

ModelBuilder& ModelBuilder::add_initial(std::string state,
                                        const Number& probability,
                                        std::uint64_t line) {
  parts_->initial.push_back({{std::move(state), line}, probability.rational()});
  return *this;
}

ModelBuilder& ModelBuilder::may_begin(std::string state, std::uint64_t line) {
  parts_->possible_initial.push_back({std::move(state), line});
  return *this;
}

ModelBuilder& ModelBuilder::is_chain(bool chain) {
  parts_->is_chain = chain;
  return *this;
}

ModelBuilder& ModelBuilder::reward_structures(std::vector<std::string> names,
                                              std::size_t chosen,
                                              bool all) {
  parts_->other_count = all && names.size() > 1 ? names.size() - 1 : 0;
  parts_->reward_names = std::move(names);
  parts_->chosen_reward = chosen;
  return *this;
}

ModelBuilder& ModelBuilder::may_lack_choices() {
  parts_->may_lack_choices = true;
  return *this;
}

ModelBuilder& ModelBuilder::declare_state(std::string_view state, std::uint64_t line) {
  states_are_declared();
  const std::uint32_t id = parts_->use_state(state, line);
  if (parts_->is_declared[id]) {
    parts_->add_problem(
        line, "states: " + in_quotes(state) + " is declared twice, must be declared once");
    return *this;
  }
  parts_->is_declared[id] = true;
  parts_->declared_in_order = parts_->declared_in_order && id == parts_->declared.size();
  parts_->declared.push_back(id);
  return *this;
}

ModelBuilder& ModelBuilder::declare_states_of(std::shared_ptr<const NameSource> names) {
  parts_->states.use(std::move(names));
  return states_are_declared();
}

ModelBuilder& ModelBuilder::declare_next_state() {
  parts_->declare_next_state();
  return *this;
}

ModelBuilder& ModelBuilder::states_are_declared() {
  parts_->states_declared = true;
  return *this;
}

ModelBuilder& ModelBuilder::begin_choice(std::string_view state,
                                         std::string_view action,
                                         std::uint64_t line) {
  Parts::ChoiceRecord& choice = parts_->open_choice(action, line);
  choice.state = parts_->use_state(state, line);
  return *this;
}

ModelBuilder& ModelBuilder::begin_choice(State state, std::string_view action, std::uint64_t line) {
  Parts::ChoiceRecord& choice = parts_->open_choice(action, line);
  choice.state = parts_->declared_state(state, line);
  return *this;
}

ModelBuilder& ModelBuilder::add_outcome(std::string_view next,
                                        const Number& probability,
                                        const Number& reward,
                                        std::uint64_t line) {
  if (!parts_->choice_is_open) {
    parts_->add_problem(line, "outcome " + in_quotes(next) + " belongs to no choice");
    return *this;
  }
  line = parts_->line_or_choice(line);
  parts_->add_outcome(parts_->use_state(next, line), probability, reward, {}, line);
  return *this;
}

ModelBuilder& ModelBuilder::add_outcome(State next,
                                        const Number& probability,
                                        const Number& reward,
                                        std::uint64_t line) {
  return add_outcome(next, probability, reward, {}, line);
}

ModelBuilder& ModelBuilder::add_outcome(State next,
                                        const Number& probability,
                                        const Number& reward,
                                        std::span<const Number> others,
                                        std::uint64_t line) {
  if (!parts_->choice_is_open) {
    parts_->add_problem(line, "an outcome belongs to no choice");
    return *this;
  }
  line = parts_->line_or_choice(line);
  parts_->add_outcome(parts_->declared_state(next, line), probability, reward, others, line);
  return *this;
}

void ModelBuilder::problem(std::uint64_t line, std::string message) {
  parts_->reader_found_problems = true;
  parts_->choice_is_damaged = true;  // of the open choice, if any: its sum would be wrong as well
  parts_->add_problem(line, std::move(message));
}

bool ModelBuilder::has_enough_problems() const { return parts_->more_problems; }

Model ModelBuilder::build() {
  // Whatever happens, the builder is empty afterwards, but for its notices.
  const std::unique_ptr<Parts> parts =
      std::exchange(parts_, std::make_unique<Parts>(parts_->source));
  parts->close_choice();
  parts->ask_for_the_model();
  if (parts->choices.empty() && parts->problems.empty() && !parts->may_lack_choices) {
    parts->add_problem(0, "the model is empty: it has no choices, must have at least one");
  }
  parts->check_states();
  parts->check_initial();
  parts->check_possible_initial();
  parts->check_goal();
  parts->check_labels();
  const std::vector<std::uint32_t> positions = parts->state_positions();
  const std::vector<std::uint32_t> order = parts->choices_by_state(positions);
  parts->check_repeated_actions(order);
  parts->throw_problems();

  parts->write_notices();
  parts_->notices = std::move(parts->notices);
  const auto body = std::make_shared<Model::Body>();
  parts->fill(*body, positions, order);
  return Model(body);
}

const std::vector<std::string>& ModelBuilder::notices() const { return parts_->notices; }

}  // namespace quantiplan
