// The validated, immutable model: a finite Markov decision process in flat arrays.
//
//     state --has--> choices (actions) --each has--> outcomes (next state, probability, reward)
//
//     states    0 ........ S-1        choice_begin[s] .. choice_begin[s+1]   choices of s
//     choices   0 ........ C-1        outcome_begin[c] .. outcome_begin[c+1] outcomes of c
//     outcomes  0 ........ O-1        next, probability id, reward id: 12 bytes
//
// Rewards belong to outcomes (semantics: averaging them over next states changes quantiles). A
// state without choices is terminal. Probabilities of a choice are positive and sum to exactly 1.
// Numbers are interned by value: equal numbers share one 24-byte entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quantiplan/error.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/tables.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

// An infinite horizon.
constexpr std::uint64_t kInfiniteHorizon = ~std::uint64_t{0};

// Unlike things are unlike types: none of these converts to another or to an integer by itself.
enum class State : std::uint32_t {};
enum class Choice : std::uint32_t {};
constexpr std::size_t index(State s) noexcept { return static_cast<std::size_t>(s); }
constexpr std::size_t index(Choice c) noexcept { return static_cast<std::size_t>(c); }

struct Outcome {
  State next;
  NumberId probability;
  NumberId reward;
};

// The choices of a state: consecutive, so two ends say it all. (std::views would do, but clang 14
// cannot read them from the standard library of g++ 12.)
class ChoiceRange {
 public:
  class Iterator {
   public:
    using value_type = Choice;
    using difference_type = std::ptrdiff_t;
    using reference = Choice;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    Iterator() = default;
    explicit Iterator(std::uint32_t at) noexcept : at_(at) {}
    Choice operator*() const noexcept { return Choice{at_}; }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    Iterator operator++(int) noexcept { return Iterator(at_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::uint32_t at_ = 0;
  };

  ChoiceRange(std::uint32_t first, std::uint32_t last) noexcept : first_(first), last_(last) {}
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(first_); }
  [[nodiscard]] Iterator end() const noexcept { return Iterator(last_); }
  [[nodiscard]] std::size_t size() const noexcept { return last_ - first_; }
  [[nodiscard]] bool empty() const noexcept { return first_ == last_; }
  [[nodiscard]] Choice front() const noexcept { return Choice{first_}; }
  template <class Index>
  [[nodiscard]] Choice operator[](Index i) const noexcept {
    return Choice{first_ + static_cast<std::uint32_t>(i)};
  }

 private:
  std::uint32_t first_;
  std::uint32_t last_;
};

// Where episodes begin: in one state, or in one of several, drawn once before the first step.
//
//     P(W >= w) = sum over s of mu(s) P(W >= w from s),    mu(s) > 0,    sum of mu = 1
//
// A target is fixed before the state is drawn, and the draw is no step: time and discount begin
// after it.
class InitialStates {
 public:
  struct Drawn {
    State state{};
    Rational probability = 1;
    friend bool operator==(const Drawn& a, const Drawn& b) {
      return a.state == b.state && a.probability == b.probability;
    }
  };
  // Surely this one.
  InitialStates(State only = State{}) : drawn_(1, Drawn{only, 1}) {}  // NOLINT: means the same
  // Sorted by state; those of probability 0 are dropped. Throws Error(bad_request) if a state is
  // there twice, a probability is below 0, or they do not sum to exactly 1.
  explicit InitialStates(std::vector<Drawn> drawn);

  [[nodiscard]] auto begin() const noexcept { return drawn_.begin(); }
  [[nodiscard]] auto end() const noexcept { return drawn_.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return drawn_.size(); }
  [[nodiscard]] const Drawn& operator[](std::size_t i) const noexcept { return drawn_[i]; }
  [[nodiscard]] bool is_certain() const noexcept { return drawn_.size() == 1; }
  // Where it is certain.
  [[nodiscard]] State only() const noexcept { return drawn_.front().state; }
  [[nodiscard]] std::vector<State> states() const;  // ascending
  [[nodiscard]] bool contains(State s) const noexcept;
  friend bool operator==(const InitialStates&, const InitialStates&) = default;

 private:
  std::vector<Drawn> drawn_;
};

// The same by names, as a query has them; empty: none.
struct InitialNames {
  InitialNames() = default;
  InitialNames(std::string only) { drawn.emplace_back(std::move(only), 1); }  // NOLINT
  InitialNames(std::string_view only) : InitialNames(std::string(only)) {}    // NOLINT
  InitialNames(const char* only) : InitialNames(std::string(only)) {}         // NOLINT
  explicit InitialNames(std::vector<std::pair<std::string, Rational>> of) : drawn(std::move(of)) {}

  [[nodiscard]] bool empty() const noexcept { return drawn.empty(); }
  void clear() { drawn.clear(); }

  std::vector<std::pair<std::string, Rational>> drawn;
};

// A name for a set of states, as model checkers use them.
struct StateLabel {
  std::string name;
  std::vector<State> states;  // ascending
};

// A handle to arrays that never change: a copy shares them, and they live as long as any copy does.
// So results, structures and policies keep a Model of their own, and nothing has to outlive them.
// Any number of threads may use a Model, or copies of it, at the same time.
class Model {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return body_->name; }
  // What the file says; a query may override each (query.hpp).
  [[nodiscard]] std::optional<std::uint64_t> horizon() const noexcept { return body_->horizon; }
  [[nodiscard]] const std::optional<Rational>& discount() const noexcept { return body_->discount; }
  [[nodiscard]] const std::optional<InitialStates>& initial() const noexcept {
    return body_->initial;
  }
  // Where the file names several initial states and no probabilities: all of them, ascending, and a
  // question has an answer for each. Empty: initial() says.
  [[nodiscard]] const std::vector<State>& possible_initial() const noexcept {
    return body_->possible_initial;
  }
  // True if the file calls it a Markov chain: no state has two choices, and none is ever to be made.
  [[nodiscard]] bool is_chain() const noexcept { return body_->is_chain; }
  // The names of the reward structures the file has, in its order, and which of them is the reward
  // of outcomes. Some may be empty. None: the file has no structures, or one without a name.
  [[nodiscard]] const std::vector<std::string>& reward_names() const noexcept {
    return body_->reward_names;
  }
  [[nodiscard]] std::size_t chosen_reward() const noexcept { return body_->chosen_reward; }
  // True if the others were kept as well (ReadOptions::all_rewards).
  [[nodiscard]] bool has_all_rewards() const noexcept { return !body_->other_rewards.empty(); }
  // In which structures the model can be written: all that were kept, at least one.
  [[nodiscard]] std::size_t kept_rewards() const noexcept {
    return has_all_rewards() ? body_->reward_names.size() : 1;
  }
  // The reward of an outcome of this model in one of them: of rewards() if it is the chosen one,
  // else of probabilities().
  [[nodiscard]] NumberId reward_in(std::size_t structure, const Outcome& o) const noexcept;
  // States that end an episode and make it count, ascending; empty: none, every episode counts.
  [[nodiscard]] const std::vector<State>& goal() const noexcept { return body_->goal; }
  // In the order of the file, each name once.
  [[nodiscard]] const std::vector<StateLabel>& labels() const noexcept { return body_->labels; }
  [[nodiscard]] const StateLabel* find_label(std::string_view name) const noexcept;
  // True if rewards are costs, to be kept small.
  [[nodiscard]] bool has_costs() const noexcept { return body_->has_costs; }
  // How histories are judged, and what rewards are (wealth.hpp).
  [[nodiscard]] const Wealth& wealth() const noexcept { return body_->wealth; }

  [[nodiscard]] std::size_t state_count() const noexcept { return state_count_; }
  [[nodiscard]] std::size_t choice_count() const noexcept { return choice_count_; }
  [[nodiscard]] std::size_t outcome_count() const noexcept { return body_->outcomes.size(); }
  // Most outcomes of one choice: b of the error bound.
  [[nodiscard]] std::size_t most_outcomes() const noexcept { return body_->most_outcomes; }

  // Choices of a state in the order of the file.
  [[nodiscard]] ChoiceRange choices(State s) const noexcept {
    return {choice_begin_[index(s)], choice_begin_[index(s) + 1]};
  }
  [[nodiscard]] std::size_t choice_count(State s) const noexcept {
    return choice_begin_[index(s) + 1] - choice_begin_[index(s)];
  }
  [[nodiscard]] bool is_terminal(State s) const noexcept { return choice_count(s) == 0; }
  // Outcomes of a choice, contiguous.
  [[nodiscard]] std::span<const Outcome> outcomes(Choice c) const noexcept {
    return {outcomes_ + outcome_begin_[index(c)], outcomes_ + outcome_begin_[index(c) + 1]};
  }
  // What ids of probabilities and of rewards mean: one table, unless the rewards were changed, and
  // two of the same size if they were.
  [[nodiscard]] const NumberTable& probabilities() const noexcept { return *probabilities_; }
  [[nodiscard]] const NumberTable& rewards() const noexcept { return *rewards_; }
  [[nodiscard]] Rational probability(const Outcome& o) const {
    return probabilities_->rational(o.probability);
  }
  [[nodiscard]] Rational reward(const Outcome& o) const { return rewards_->rational(o.reward); }

  // Valid as long as some copy of the model is. Names of states that a program describes are made
  // when they are first asked for.
  [[nodiscard]] std::string_view state_name(State s) const { return body_->state_names[index(s)]; }
  [[nodiscard]] std::string_view action_name(Choice c) const {
    return body_->action_names[body_->action_of_choice[index(c)]];
  }
  [[nodiscard]] std::optional<State> find_state(std::string_view name) const;
  [[nodiscard]] std::optional<Choice> find_choice(State s, std::string_view action) const;

  // The same model with rewards f(r): everything is shared, ids included, but the table of what they
  // mean. f is called once for each reward that occurs. Throws Error(bad_model) if f makes two of
  // them equal, or one that the wealth does not take. Cost: O(outcomes).
  [[nodiscard]] Model with_rewards(const std::function<Rational(const Rational&)>& f) const;

  // Bytes held by this model, everything included, shared or not.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class ModelBuilder;
  // What copies share.
  struct Body {
    std::string name;
    std::optional<std::uint64_t> horizon;
    std::optional<Rational> discount;
    std::optional<InitialStates> initial;
    std::vector<State> possible_initial;
    bool is_chain = false;
    std::vector<std::string> reward_names;
    std::size_t chosen_reward = 0;
    std::vector<NumberId> other_rewards;  // by outcome, then by structure without the chosen one
    std::vector<State> goal;
    std::vector<StateLabel> labels;
    bool has_costs = false;
    Wealth wealth;
    std::vector<std::uint32_t> choice_begin{0};
    std::vector<std::uint64_t> outcome_begin{0};
    std::vector<Outcome> outcomes;
    std::vector<std::uint32_t> action_of_choice;
    std::size_t most_outcomes = 0;
    NumberTable numbers;
    NameTable state_names;
    NameTable action_names;
  };
  explicit Model(std::shared_ptr<const Body> body);

  std::shared_ptr<const Body> body_;
  std::shared_ptr<const NumberTable> rewards_;  // the numbers of the body, or other ones
  // Into the body: inner loops read them with no step more than if the arrays were here.
  const NumberTable* probabilities_;
  const std::uint32_t* choice_begin_;
  const std::uint64_t* outcome_begin_;
  const Outcome* outcomes_;
  std::size_t state_count_;
  std::size_t choice_count_;
};

// 1e-6: how far from 1 probabilities may sum if nothing is said, which numbers that once were floats
// of single precision keep.
inline Rational usual_tolerance() { return {1, 1000000}; }

class WorkWatch;
struct ChoiceArrays;  // arrays.hpp

// Builds a Model from names and numbers, in any order of states, and validates it as a whole.
//
//     ModelBuilder builder;
//     builder.begin_choice("home", "bike");
//     builder.add_outcome("office", 1, -40);
//     Model model = builder.build();
//
// A `line` is the line of the file an item stands on, 0 if there is none; it is used in messages
// only. Outcomes of probability 0 are dropped; outcomes of one choice with the same next state and
// the same reward are merged by adding their probabilities; a choice whose probabilities sum to
// within the tolerance of 1 is normalised exactly, and one notice tells of all such choices.
class ModelBuilder {
 public:
  // `source` is the file name shown in messages; empty for a model made in code.
  explicit ModelBuilder(std::string source = {});
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  // Whoever reads or generates under limits: they are looked at as the model grows, and every call
  // may throw Error(refused). It must outlive the building; null for nobody.
  ModelBuilder& watched_by(WorkWatch* watch);
  // How far from 1 the probabilities of a choice may sum; usual_tolerance() if nothing is said. From
  // 0, where nothing is normalised, to below 1.
  ModelBuilder& tolerance(const Rational& most);
  [[nodiscard]] const Rational& tolerance() const;
  // Rewards that are numbers are rounded to this many decimals, at most 18, ties away from 0, and a
  // notice tells of it. Before the first outcome. Never without being asked: 0.30000000000000004 is
  // no tenth of 3, but leaves no unit to count wealth in, and a notice names such rewards.
  ModelBuilder& round_rewards(std::uint32_t decimals);

  ModelBuilder& name(std::string text);
  // At least 1, or kInfiniteHorizon.
  ModelBuilder& horizon(std::uint64_t steps, std::uint64_t line = 0);
  // In (0, 1].
  ModelBuilder& discount(const Number& gamma, std::uint64_t line = 0);
  ModelBuilder& initial(std::string state, std::uint64_t line = 0);
  // Adds an initial state, instead: each once, with probabilities that sum to exactly 1.
  ModelBuilder& add_initial(std::string state, const Number& probability, std::uint64_t line = 0);
  // Adds a state in which episodes may begin, instead; each once. One alone is the initial state.
  ModelBuilder& may_begin(std::string state, std::uint64_t line = 0);
  // The file calls it a Markov chain.
  ModelBuilder& is_chain(bool chain = true);
  // The reward structures of the file, and the one that counts. With `all`, each outcome comes with
  // the rewards of the others as well. Before the first outcome.
  ModelBuilder& reward_structures(std::vector<std::string> names, std::size_t chosen, bool all);
  // A model whose states are all terminal is one.
  ModelBuilder& may_lack_choices();
  // Adds a goal state; each once.
  ModelBuilder& goal(std::string state, std::uint64_t line = 0);
  // Adds a label, of no state yet; each once.
  ModelBuilder& label(std::string name, std::uint64_t line = 0);
  // Gives a state the label that was added last; each state once.
  ModelBuilder& labelled(std::string state, std::uint64_t line = 0);
  // The same for a declared state by position.
  ModelBuilder& labelled(State state, std::uint64_t line = 0);
  ModelBuilder& rewards_are_costs(bool costs = true);
  // How histories are judged: sums, unless it is said before the first outcome.
  ModelBuilder& wealth(Wealth wealth, std::uint64_t line = 0);
  // Fixes the order of states, and makes every undeclared state an error. Without any declaration,
  // states are those met in choices, in the order of first appearance.
  ModelBuilder& declare_state(std::string_view state, std::uint64_t line = 0);
  // States are those of a source, each declared when it has been met there: for readers of the
  // library, before any other state.
  ModelBuilder& declare_states_of(std::shared_ptr<const NameSource> names);
  ModelBuilder& declare_next_state();
  // The states are declared even if the list is empty (so that "states": [] is an error).
  ModelBuilder& states_are_declared();

  // Opens a choice; outcomes follow until the next begin_choice or build.
  ModelBuilder& begin_choice(std::string_view state,
                             std::string_view action,
                             std::uint64_t line = 0);
  ModelBuilder& add_outcome(std::string_view next,
                            const Number& probability,
                            const Number& reward,
                            std::uint64_t line = 0);

  // The same with declared states by position (0 is the first declared): no name is looked up,
  // which halves the time of a large model.
  ModelBuilder& begin_choice(State state, std::string_view action, std::uint64_t line = 0);
  ModelBuilder& add_outcome(State next,
                            const Number& probability,
                            const Number& reward,
                            std::uint64_t line = 0);
  // With its rewards in the other structures, in their order.
  ModelBuilder& add_outcome(State next,
                            const Number& probability,
                            const Number& reward,
                            std::span<const Number> others,
                            std::uint64_t line = 0);

  // Many choices at once, with declared states: the same model as with one call after the other, but
  // floats are made exact and normalised on all cores. Throws Error(bad_request) if the lengths of
  // the arrays do not fit each other.
  ModelBuilder& add_choices(const ChoiceArrays& arrays);

  // The reward to hand to add_outcome for a label, or for a vector of numbers, of the structure set
  // by wealth(). Nullopt if it has no such label, or vectors of another length.
  [[nodiscard]] std::optional<Number> reward(std::string_view label) const;
  [[nodiscard]] std::optional<Number> reward(const std::vector<Rational>& vector);

  // Records a problem found by a reader; build() throws it together with the others.
  void problem(std::uint64_t line, std::string message);
  // True once no further problem would be shown: a reader may stop.
  [[nodiscard]] bool has_enough_problems() const;

  // The model. Throws Error(bad_model) with up to 20 problems. The builder is empty afterwards.
  [[nodiscard]] Model build();
  // What was mended and said: normalised choices, rounded rewards; and what had better be mended.
  // Valid after build().
  [[nodiscard]] const std::vector<std::string>& notices() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quantiplan
