// From the arrays of a UMB to a builder: states, choices and branches in their order.
#include <algorithm>
#include <utility>

#include "base/quoted.hpp"
#include "io/explicit/explicit_states.hpp"
#include "io/text/unpacked.hpp"
#include "io/umb/umb_model.hpp"
#include "io/umb/umb_state_names.hpp"
#include "model/choice_names.hpp"
#include "model/reward_choice.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kUmbInit = "init";
constexpr std::string_view kUmbDeadlock = "deadlock";

// One reward structure: what a state, a choice and a branch earn.
struct UmbRewards {
  UmbNumbers of_states;
  UmbNumbers of_choices;
  UmbNumbers of_branches;
};

class UmbReader {
 public:
  UmbReader(const TarArchive& archive,
            std::uint64_t archive_bytes,
            const std::string& source,
            const ReadOptions& options,
            WorkWatch& watch,
            ModelBuilder& builder)
      : source_(source),
        options_(options),
        watch_(watch),
        builder_(builder),
        files_(archive, source, watch),
        index_(read_umb_index(own_index(), source, watch)),
        state_choices_(check(archive_bytes), "state-to-choices.bin", index_.states, index_.choices),
        choice_branches_(files_, "choice-to-branches.bin", index_.choices, index_.branches) {}

  std::vector<std::string> read() {
    builder_.horizon(kInfiniteHorizon);
    builder_.is_chain(index_.is_chain);
    builder_.may_lack_choices();
    choose_rewards();
    name_states();
    read_labels();
    read_actions();
    add_states();
    for (const std::string& what : index_.ignored)
      notices_.push_back(source_ + ": " + what + " are left out");
    if (rewards_left_ > 0)
      notices_.push_back(
          source_ + ": " + std::to_string(rewards_left_) +
          (rewards_left_ == 1 ? " terminal state has a reward" : " terminal states have rewards") +
          ", which is collected on leaving a state only: never there");
    return std::move(notices_);
  }

 private:
  // Not to be changed by others while it is read.
  [[nodiscard]] std::string own_index() const {
    const std::string_view text = files_.whole("index.json");
    watch_.ask(text.size());
    return std::string(text);
  }

  // What the index says must have its place in the archive.
  const UmbFiles& check(std::uint64_t bytes) const {
    const auto require = [&](const char* what, std::uint64_t count, std::uint64_t most) {
      if (count > most)
        throw Error(ErrorCode::bad_model,
                    source_ + ": index.json",
                    std::string(what) + ": found " + std::to_string(count) +
                        ", expected fewer: the archive has " + std::to_string(bytes) + " bytes");
    };
    require("#states", index_.states, 8 * bytes);
    require("#choices", index_.choices, bytes);
    require("#branches", index_.branches, bytes);
    require("#choice-actions", index_.choice_actions, bytes);
    // What the model takes at the least, before gigabytes of holes in a file are looked at.
    watch_.ask((index_.states + index_.choices) * sizeof(std::uint32_t));
    return files_;
  }

  void choose_rewards() {
    std::vector<std::string> names;
    for (const UmbAnnotation& reward : index_.rewards) names.push_back(reward.name);
    const auto chosen =
        choose_reward(names, options_.reward, source_, notices_, options_.all_rewards);
    if (!chosen) return;
    builder_.reward_structures(names, *chosen, options_.all_rewards);
    add_rewards(index_.rewards[*chosen]);
    for (std::size_t i = 0; i < names.size() && options_.all_rewards; ++i)
      if (i != *chosen) add_rewards(index_.rewards[i]);
  }

  void add_rewards(const UmbAnnotation& from) {
    const std::string folder = "annotations/rewards/" + from.id;
    const auto values = [&](bool is_there, const char* place, std::uint64_t count) {
      const std::string path = folder + "/" + place + "/values.bin";
      return is_there ? UmbNumbers(files_, path, from.type, count) : UmbNumbers();
    };
    rewards_.push_back({values(from.on_states, "states", index_.states),
                        values(from.on_choices, "choices", index_.choices),
                        values(from.on_branches, "branches", index_.branches)});
  }

  void name_states() {
    auto found = umb_state_names(files_, index_, watch_);
    if (!found && !index_.state_classes.empty())
      notices_.push_back(source_ +
                         ": several states have the same variables: states are named by number");
    StateNames names;
    if (found) names.names = std::move(*found);
    declare_states(builder_, names, index_.states);
    constexpr const char* kInitial = "state-is-initial.bin";
    const bool is_absent = index_.initial_states == 0 && !files_.has(kInitial);
    const UmbBits initial = is_absent ? UmbBits() : UmbBits(files_, kInitial, index_.states);
    std::uint64_t count = 0;
    for (std::uint64_t s = 0; s < index_.states; ++s) {
      if (!initial[s]) continue;
      ++count;
      builder_.may_begin(names[s]);
    }
    if (count != index_.initial_states)
      files_.fail(kInitial,
                  "names " + std::to_string(count) + " states, expected " +
                      std::to_string(index_.initial_states) + ", as index.json says");
    if (count == 0) notices_.push_back(source_ + ": the model has no initial state");
  }

  void read_labels() {
    for (const UmbAnnotation& label : index_.labels) {
      if (!label.on_states) continue;
      const UmbBits holds(
          files_, "annotations/aps/" + label.id + "/states/values.bin", index_.states);
      if (label.name == kUmbDeadlock) deadlock_ = holds;
      if (label.name == kUmbInit || label.name == kUmbDeadlock) continue;
      builder_.label(label.name);
      watch_.step(index_.states / 8);
      for (std::uint64_t s = 0; s < index_.states; ++s)
        if (holds[s]) builder_.labelled(State{static_cast<std::uint32_t>(s)});
    }
  }

  void read_actions() {
    if (index_.choice_actions == 0) return;
    const std::string folder = "actions/choices";
    if (files_.has(folder + "/values.bin"))
      actions_ = files_.need(folder + "/values.bin", index_.choices * sizeof(std::uint32_t));
    if (files_.has(folder + "/string-mapping.bin"))
      action_names_ = umb_strings(files_, folder, index_.choice_actions);
  }

  // Without a name: by its number, unless there is but one for all.
  std::string_view action_of(std::uint64_t choice) {
    if (index_.choice_actions == 0) return kUnlabelled;
    const std::uint32_t action = actions_.empty() ? 0 : umb_value<std::uint32_t>(actions_, choice);
    if (action >= index_.choice_actions)
      files_.fail("actions/choices/values.bin",
                  "choice " + std::to_string(choice) + " has action " + std::to_string(action) +
                      ", expected one below " + std::to_string(index_.choice_actions));
    if (action_names_.empty()) {
      number_ = "action" + std::to_string(action);
      return index_.choice_actions == 1 ? kUnlabelled : std::string_view(number_);
    }
    return action_names_[action].empty() ? kUnlabelled : std::string_view(action_names_[action]);
  }

  void add_states() {
    const std::string targets = "branch-to-target.bin";
    if (index_.branches > 0) target_ = files_.need(targets, 8 * index_.branches);
    if (index_.probability)
      probability_ =
          UmbNumbers(files_, "branch-to-probability.bin", *index_.probability, index_.branches);
    others_.resize(rewards_.empty() ? 0 : rewards_.size() - 1);
    for (std::uint64_t s = 0; s < index_.states; ++s) {
      const std::uint64_t begin = state_choices_.begin(s);
      const std::uint64_t end = state_choices_.begin(s + 1);
      if (index_.is_chain && end > begin + 1)
        files_.fail("state-to-choices.bin",
                    "state " + std::to_string(s) + " has " + std::to_string(end - begin) +
                        " choices, expected at most one in a DTMC");
      if (is_terminal(s, begin, end)) continue;
      names_.start_state();
      for (std::uint64_t c = begin; c < end; ++c) add_choice(s, c);
    }
  }

  void add_choice(std::uint64_t s, std::uint64_t c) {
    const std::uint64_t begin = choice_branches_.begin(c);
    const std::uint64_t end = choice_branches_.begin(c + 1);
    if (!index_.probability && end != begin + 1)
      files_.fail("choice-to-branches.bin",
                  "choice " + std::to_string(c) + " has " + std::to_string(end - begin) +
                      " branches and no probabilities, expected one");
    builder_.begin_choice(State{static_cast<std::uint32_t>(s)}, names_.name(action_of(c)));
    for (std::uint64_t b = begin; b < end; ++b) {
      for (std::size_t i = 1; i < rewards_.size(); ++i)
        others_[i - 1] = reward(rewards_[i], s, c, b);
      builder_.add_outcome(target(b),
                           index_.probability ? probability_[b] : one_,
                           rewards_.empty() ? zero_ : reward(rewards_[0], s, c, b),
                           others_);
    }
  }

  [[nodiscard]] State target(std::uint64_t branch) const {
    const auto next = umb_value<std::uint64_t>(target_, branch);
    if (next >= index_.states)
      files_.fail("branch-to-target.bin",
                  "branch " + std::to_string(branch) + " leads to state " + std::to_string(next) +
                      ", expected one below " + std::to_string(index_.states));
    return State{static_cast<std::uint32_t>(next)};
  }

  static Number reward(const UmbRewards& of, std::uint64_t s, std::uint64_t c, std::uint64_t b) {
    Number out = of.of_branches[b];
    for (const Number* more : {&of.of_choices[c], &of.of_states[s]}) {
      if (more->sign() == 0) continue;
      out = out.sign() == 0 ? *more : out + *more;
    }
    return out;
  }

  // A state without choices, or with the loop that stands for none.
  bool is_terminal(std::uint64_t s, std::uint64_t begin, std::uint64_t end) {
    bool out = begin == end;
    if (!out && deadlock_[s] && end == begin + 1) {
      const std::uint64_t b = choice_branches_.begin(begin);
      out = choice_branches_.begin(end) == b + 1 && index(target(b)) == s &&
            std::ranges::all_of(rewards_, [&](const UmbRewards& r) {
              return r.of_branches[b].sign() == 0 && r.of_choices[begin].sign() == 0;
            });
    }
    if (out && !rewards_.empty() && rewards_[0].of_states[s].sign() != 0) ++rewards_left_;
    return out;
  }

  const std::string& source_;
  const ReadOptions& options_;
  WorkWatch& watch_;
  ModelBuilder& builder_;
  UmbFiles files_;
  UmbIndex index_;
  UmbRanges state_choices_;
  UmbRanges choice_branches_;
  std::string_view target_;
  UmbNumbers probability_;
  std::vector<UmbRewards> rewards_;  // the structure that counts, then the others if they are kept
  std::vector<Number> others_;
  UmbBits deadlock_;
  std::string_view actions_;
  std::vector<std::string> action_names_;
  std::string number_;
  ChoiceNames names_;
  std::vector<std::string> notices_;
  std::uint64_t rewards_left_ = 0;
  const Number one_ = Number(1);
  const Number zero_ = Number();
};

}  // namespace

std::vector<std::string> read_umb_model(std::string_view bytes,
                                        const std::string& source,
                                        const ReadOptions& options,
                                        WorkWatch& watch,
                                        ModelBuilder& builder) {
  std::string plain;
  if (const auto packing = packing_of(bytes)) {
    plain = unpacked(bytes, *packing, source, watch);
    bytes = plain;
  }
  if (!is_tar(bytes))
    throw Error(ErrorCode::bad_model,
                source,
                "found no tar archive, expected one, plain or "
                "compressed by gzip, xz or zstd");
  const TarArchive archive(bytes, source);
  return UmbReader(archive, bytes.size(), source, options, watch, builder).read();
}

}  // namespace quantiplan
