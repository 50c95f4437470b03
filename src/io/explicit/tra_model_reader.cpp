#include "io/explicit/tra_model_reader.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/quoted.hpp"
#include "io/explicit/explicit_states.hpp"
#include "io/explicit/tra_companions.hpp"
#include "io/text/checked_text.hpp"
#include "model/reward_choice.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kMostTraStates = 0xFFFFFFFE;
constexpr std::array<std::string_view, 10> kOthers{
    "ctmc", "ctmdp", "ma", "pomdp", "pta", "popta", "smg", "lts", "idtmc", "imdp"};

// "POMDP", or nothing if the word is no model type that cannot be read.
std::string other_type(std::string_view word) {
  std::string type = lower_case(word);
  if (std::find(kOthers.begin(), kOthers.end(), type) == kOthers.end()) return {};
  for (char& c : type) c = static_cast<char>(c - 'a' + 'A');
  return type;
}

class TraModelReader {
 public:
  TraModelReader(std::string_view text,
                 const std::string& source,
                 const TraCompanions& beside,
                 const ReadOptions& options,
                 ModelBuilder& builder)
      : text_(text),
        beside_(beside),
        options_(options),
        builder_(builder),
        problems_(all_, source),
        lines_(text) {}

  std::vector<std::string> read() {
    read_header();
    all_.throw_if_any(ErrorCode::bad_model);
    read_companions();
    hand_over_states();
    read_rows();
    all_.throw_if_any(ErrorCode::bad_model);
    return std::move(notices_);
  }

 private:
  void read_header() {
    if (!lines_.next()) {
      problems_.add(lines_.line(),
                    "the file has no rows, must have 'states choices transitions' and rows");
      return;
    }
    for (const std::string_view comment : lines_.comments()) {
      const std::size_t open = comment.find('(');
      const std::size_t close = comment.find(')');
      if (open < close && close != std::string_view::npos)
        refuse_type(other_type(comment.substr(open + 1, close - open - 1)));
    }
    header_.line = lines_.line();
    const auto& fields = lines_.fields();
    const std::string word = lower_case(fields[0]);
    if (fields.size() == 1 && (word == "mdp" || word == "dtmc")) {
      header_.has_counts = false;
      header_.is_dtmc = word == "dtmc";
      count_states();
      return;
    }
    if (fields.size() == 1) refuse_type(other_type(word));
    read_counts();
  }

  void refuse_type(const std::string& type) {
    if (!type.empty())
      throw Error(ErrorCode::bad_model,
                  problems_.source() + ":" + std::to_string(lines_.line()),
                  "a " + type + " is not supported, must be an MDP or a DTMC");
  }

  void read_counts() {
    const auto& fields = lines_.fields();
    std::vector<std::uint64_t> counts;
    for (const std::string_view field : fields) {
      if (const auto count = whole_number(field)) counts.push_back(*count);
    }
    if (counts.size() == 4 && fields.size() == 4) refuse_type("POMDP");
    if (counts.size() != fields.size() || counts.size() < 2 || counts.size() > 3) {
      problems_.add(lines_.line(),
                    "found " + in_quotes(lines_.whole()) +
                        ", must be 'states choices transitions' of an MDP, 'states transitions' of "
                        "a DTMC, or the word mdp or dtmc");
      return;
    }
    header_.is_dtmc = counts.size() == 2;
    header_.states = counts.front();
    header_.transitions = counts.back();
    header_.choices = header_.is_dtmc ? 0 : counts[1];
    check_state_count(header_.states);
  }

  // A row has more characters than it can add states: what is beyond is a mistake, and no reason to
  // take memory.
  void check_state_count(std::uint64_t count) {
    if (count <= std::min<std::uint64_t>(text_.size(), kMostTraStates)) return;
    problems_.add(lines_.line(),
                  "found " + std::to_string(count) + " states, must be fewer: the file has " +
                      std::to_string(text_.size()) + " characters");
  }

  // Storm's variant says no counts: the greatest state is the last.
  void count_states() {
    FieldLines lines = lines_;
    const std::size_t next = header_.is_dtmc ? 1 : 2;
    while (lines.next()) {
      for (const std::size_t i : {std::size_t{0}, next}) {
        if (i >= lines.fields().size()) continue;
        if (const auto state = whole_number(lines.fields()[i]))
          header_.states = std::max(header_.states, *state + 1);
      }
    }
    check_state_count(header_.states);
  }

  // Runs `read` on a text that stands beside the .tra, with its own places for problems.
  template <typename Read>
  void read_beside(const std::optional<NamedText>& file, const Read& read) {
    if (!file || all_.full()) return;
    PlacedProblems problems(all_, file->source);
    std::string_view text = file->text;
    if (const auto fault = check_text(text)) {
      problems.add(fault->line, fault->message);
    } else {
      read(text, problems);
    }
  }

  void read_companions() {
    read_beside(beside_.labels, [&](std::string_view text, PlacedProblems& problems) {
      labels_ = read_lab(text, header_.states, problems);
    });
    read_beside(beside_.states, [&](std::string_view text, PlacedProblems& problems) {
      names_ = read_sta(text, header_.states, problems);
    });
    std::vector<std::string> structures;
    for (const TraCompanions::Rewards& rewards : beside_.rewards) {
      std::string name;
      if (rewards.of_states) name = name_of_rewards(rewards.of_states->text);
      if (name.empty() && rewards.of_transitions)
        name = name_of_rewards(rewards.of_transitions->text);
      structures.push_back(std::move(name));
    }
    const auto chosen = choose_reward(
        structures, options_.reward, problems_.source(), notices_, options_.all_rewards);
    if (!chosen) return;
    builder_.reward_structures(structures, *chosen, options_.all_rewards);
    read_rewards(*chosen);
    for (std::size_t i = 0; i < structures.size() && options_.all_rewards; ++i)
      if (i != *chosen) read_rewards(i);
    other_rewards_.resize(rewards_.size() - 1);
    state_others_.resize(rewards_.size() - 1);
  }

  void read_rewards(std::size_t structure) {
    const TraCompanions::Rewards& files = beside_.rewards[structure];
    KeptRewards& kept = rewards_.emplace_back();
    kept.file = structure;
    read_beside(files.of_states, [&](std::string_view text, PlacedProblems& problems) {
      kept.of_states.read(text, header_, problems);
    });
    read_beside(files.of_transitions, [&](std::string_view text, PlacedProblems& problems) {
      kept.of_transitions.read(text, header_, problems);
    });
  }

  void hand_over_states() {
    if (all_.any()) return;  // labels and names may be incomplete
    declare_states(builder_, names_, header_.states);
    builder_.horizon(kInfiniteHorizon);
    builder_.is_chain(header_.is_dtmc);
    builder_.may_lack_choices();
    if (beside_.labels) {
      labels_.hand_over(builder_, names_, beside_.labels->source, notices_);
    } else if (header_.states > 0) {
      builder_.initial(names_[0]);
      notices_.push_back(problems_.source() +
                         ": no .lab beside it: the initial state is state 0, and no state has a "
                         "label");
    }
  }

  void read_rows() {
    const std::vector<bool> is_deadlock = labels_.deadlocks(header_.states);
    ExplicitStates states(builder_, problems_);
    TraRows rows(lines_, header_, "probability", problems_);
    const auto take = [&](const TraRow& row) {
      if (!state_ || *state_ != row.state) {
        end_state(states);
        states.begin_state(State{row.state}, is_deadlock[row.state]);
        state_ = row.state;
      }
      enter_choice(states, row);
      for (std::size_t i = 1; i < rewards_.size(); ++i)
        other_rewards_[i - 1] = rewards_[i].of_transitions.take(row);
      states.add_outcome(State{row.next},
                         row.value,
                         rewards_.empty() ? Number() : rewards_[0].of_transitions.take(row),
                         other_rewards_,
                         row.line);
    };
    TraRow row;
    if (are_in_order()) {
      while (rows.next(row)) take(row);
    } else {
      std::vector<TraRow> all;
      while (rows.next(row)) all.push_back(row);
      std::stable_sort(all.begin(), all.end(), [](const TraRow& a, const TraRow& b) {
        return std::tie(a.state, a.choice) < std::tie(b.state, b.choice);
      });
      for (const TraRow& each : all) take(each);
    }
    end_state(states);
    states.add_notices(notices_);
    if (all_.full()) return;
    check_counts(rows.count());
    for (const KeptRewards& kept : rewards_) {
      const auto& file = beside_.rewards[kept.file].of_transitions;
      if (!file || all_.any()) continue;
      PlacedProblems problems(all_, file->source);
      kept.of_transitions.report_left_over(problems);
    }
  }

  // Rows of one choice stand together, choices and states ascend: nothing has to be kept.
  [[nodiscard]] bool are_in_order() const {
    FieldLines lines = lines_;
    std::pair<std::uint64_t, std::uint64_t> last{0, 0};
    while (lines.next()) {
      const auto& fields = lines.fields();
      if (fields.size() < 2) continue;
      const auto state = whole_number(fields[0]);
      const auto choice =
          header_.is_dtmc ? std::optional<std::uint64_t>(0) : whole_number(fields[1]);
      if (!state) continue;  // it will be said
      const std::pair at{*state, choice.value_or(*state == last.first ? last.second : 0)};
      if (at < last) return false;
      last = at;
    }
    return true;
  }

  void end_state(ExplicitStates& states) {
    if (!state_) return;
    choice_count_ += states.choice_count();
    // With problems anywhere no model is built, but the rows are still checked.
    if (all_.any()) return;
    for (std::size_t i = 1; i < rewards_.size(); ++i)
      state_others_[i - 1] = rewards_[i].of_states[*state_];
    states.end_state(rewards_.empty() ? Number() : rewards_[0].of_states[*state_], state_others_);
  }

  void enter_choice(ExplicitStates& states, const TraRow& row) {
    const std::string where = "state " + std::to_string(row.state) + ", choice ";
    if (states.has_choice() && row.choice == choice_) {
      if (states.label() == row.label) return;
      // A chain merges what has different labels in the program: then there is no label.
      if (header_.is_dtmc) {
        states.set_label({});
      } else {
        problems_.add(row.line,
                      where + std::to_string(row.choice) + ": found the action " +
                          in_quotes(row.label) + " after " + in_quotes(states.label()) +
                          ", must be the same in every transition of the choice");
      }
      return;
    }
    const std::uint32_t expected = states.has_choice() ? choice_ + 1 : 0;
    if (row.choice != expected)
      problems_.add(row.line,
                    where + std::to_string(row.choice) + ": must be choice " +
                        std::to_string(expected) + ", choices are numbered from 0 in order");
    choice_ = row.choice;
    states.begin_choice(row.label, row.line);
  }

  void check_counts(std::uint64_t rows) {
    if (!header_.has_counts) return;
    check_said_count("transitions", header_.transitions, rows, header_.line, problems_);
    if (!header_.is_dtmc)
      check_said_count("choices", header_.choices, choice_count_, header_.line, problems_);
  }

  std::string_view text_;
  const TraCompanions& beside_;
  const ReadOptions& options_;
  ModelBuilder& builder_;
  Problems all_;
  PlacedProblems problems_;
  FieldLines lines_;
  TraHeader header_;
  LabelSets labels_;
  StateNames names_;
  struct KeptRewards {
    std::size_t file = 0;  // in beside_.rewards
    StateRewards of_states;
    TransitionRewards of_transitions;
  };
  std::vector<KeptRewards> rewards_;  // the structure that counts, then the others if they are kept
  std::vector<Number> other_rewards_;  // of a transition
  std::vector<Number> state_others_;   // of a state
  std::vector<std::string> notices_;
  std::optional<std::uint32_t> state_;  // that of the last row, and its choice
  std::uint32_t choice_ = 0;
  std::uint64_t choice_count_ = 0;
};

}  // namespace

std::vector<std::string> read_tra_model(std::string_view text,
                                        const std::string& source,
                                        const TraCompanions& beside,
                                        const ReadOptions& options,
                                        ModelBuilder& builder) {
  return TraModelReader(text, source, beside, options, builder).read();
}

}  // namespace quantiplan
