// Writes a UMB: arrays first, then the index that describes them, then all of it as one archive.
//
// A terminal state gets a loop without reward and the label "deadlock": the format has states without
// choices, but Storm does not read them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "io/explicit/explicit_writing.hpp"
#include "io/text/json_text.hpp"
#include "io/text/watched_text.hpp"
#include "io/umb/tar_archive.hpp"
#include "io/umb/umb_model.hpp"
#include "io/umb/umb_valuations.hpp"
#include "model/choice_names.hpp"

namespace quantiplan {
namespace {

template <class Value>
void append_value(std::string& out, Value value) {
  static_assert(std::endian::native == std::endian::little);
  const auto* bytes = reinterpret_cast<const char*>(&value);  // NOLINT
  out.append(bytes, sizeof value);
}

// A rational as numerator and denominator of half the bits each.
void append_rational(std::string& out, const Rational& value, std::size_t bytes) {
  const auto append = [&](Integer part) {
    const std::size_t half = bytes / 2;
    if (part < 0) part += Integer(1) << static_cast<unsigned long>(8 * half);
    std::string text(half, '\0');
    mpz_export(text.data(), nullptr, -1, 1, 0, 0, part.get_mpz_t());
    out += text;
  };
  append(value.get_num());
  append(value.get_den());
}

// Which numbers an array will hold, before it is made.
class NumberKind {
 public:
  void meet(const Rational& value) {
    const double nearest = to_nearest_double(value);
    if (Number::from_double(nearest).rational() != value) is_double_ = false;
    bits_ = std::max({bits_,
                      mpz_sizeinbase(value.get_num_mpz_t(), 2) + 1,
                      mpz_sizeinbase(value.get_den_mpz_t(), 2)});
  }
  [[nodiscard]] std::size_t bytes() const { return is_double_ ? 8 : (bits_ + 63) / 64 * 16; }
  [[nodiscard]] std::string json() const {
    return fmt::format(
        R"({{"type": "{}", "size": {}}})", is_double_ ? "double" : "rational", 8 * bytes());
  }
  [[nodiscard]] std::string encoded(const Rational& value) const {
    std::string out;
    if (is_double_) {
      append_value(out, to_nearest_double(value));
    } else {
      append_rational(out, value, bytes());
    }
    return out;
  }

 private:
  bool is_double_ = true;
  std::size_t bits_ = 1;
};

// Names as ids of paths: of a-z, 0-9, - and _, each once.
class UmbIds {
 public:
  std::string id(std::string_view name) {
    std::string out;
    for (const char c : name) {
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      const bool is_fine = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ||
                           lower == '-' || lower == '_';
      out += is_fine ? lower : '_';
    }
    constexpr std::size_t kMost = 60;
    out.resize(std::min(out.size(), kMost));
    if (out.empty()) out = "_";
    const std::string base = out;
    for (std::size_t i = 2; !used_.insert(out).second; ++i) out = base + "-" + std::to_string(i);
    return out;
  }

 private:
  std::set<std::string> used_;
};

class UmbWriter {
 public:
  UmbWriter(const Model& model, std::vector<std::string>& lost, WorkWatch* watch)
      : model_(model), lost_(lost), watch_(watch), labels_(model, lost) {}

  std::string write() {
    add_branches();
    add_actions();
    for (std::size_t k = 0; k < model_.kept_rewards(); ++k) add_rewards(k);
    add_labels();
    add_states();
    TarWriter tar;
    tar.add("index.json", index());
    for (const auto& [path, content] : arrays_) {
      look_at_text(tar.so_far(), watch_);
      if (watch_ != nullptr) watch_->ask_if_large(content.size());
      tar.add(path, content);
    }
    return tar.take();
  }

 private:
  void add_branches() {
    const std::size_t outcomes = model_.outcome_count();
    if (watch_ != nullptr) watch_->ask(outcomes * 24 + model_.choice_count() * 16);
    NumberKind kind;
    std::vector<bool> is_probability(model_.probabilities().size(), false);
    std::string& target = arrays_["branch-to-target.bin"];
    std::string ranges;
    std::uint64_t branches = 0;
    append_value(ranges, branches);
    const auto act = [&](Choice c) {
      for (const Outcome& o : model_.outcomes(c)) {
        append_value(target, std::uint64_t{index_of(o.next)});
        is_probability[quantiplan::index(o.probability)] = true;
        ++branches;
      }
      append_value(ranges, branches);
    };
    const auto loop = [&](std::uint64_t s) {
      append_value(target, s);
      append_value(ranges, ++branches);
      ++loops_;
    };
    for_each_choice(act, loop);
    std::vector<std::string> encoded(is_probability.size());
    for (std::uint32_t id = 0; id < encoded.size(); ++id)
      if (is_probability[id]) kind.meet(model_.probabilities().rational(NumberId{id}));
    for (std::uint32_t id = 0; id < encoded.size(); ++id)
      if (is_probability[id])
        encoded[id] = kind.encoded(model_.probabilities().rational(NumberId{id}));
    std::string& probability = arrays_["branch-to-probability.bin"];
    const std::string one = kind.encoded(1);
    for_each_choice(
        [&](Choice c) {
          for (const Outcome& o : model_.outcomes(c))
            probability += encoded[quantiplan::index(o.probability)];
        },
        [&](std::uint64_t) { probability += one; });
    arrays_["choice-to-branches.bin"] = std::move(ranges);
    probability_json_ = kind.json();
  }

  static std::uint32_t index_of(State s) {
    return static_cast<std::uint32_t>(quantiplan::index(s));
  }
  // act(choice), and loop(state) where there is none.
  template <class Act, class Loop>
  void for_each_choice(const Act& act, const Loop& loop) const {
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      if (model_.is_terminal(State{s})) loop(s);
      for (const Choice c : model_.choices(State{s})) act(c);
    }
  }

  void add_actions() {
    std::string values;
    std::map<std::string, std::uint32_t> known;
    std::vector<std::string> names;
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      std::vector<std::string> labels = labels_of(model_, State{s});
      if (labels.empty()) labels.emplace_back();  // of the loop
      for (const std::string& label : labels) {
        const auto [found, is_new] =
            known.try_emplace(label, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(label);
        append_value(values, found->second);
      }
    }
    const bool has_names = names.size() > 1 || (names.size() == 1 && !names[0].empty());
    if (!has_names) return;
    actions_ = names.size();
    arrays_["actions/choices/values.bin"] = std::move(values);
    std::string ranges;
    std::string& strings = arrays_["actions/choices/strings.bin"];
    append_value(ranges, std::uint64_t{0});
    for (const std::string& name : names) {
      strings += name;
      append_value(ranges, std::uint64_t{strings.size()});
    }
    arrays_["actions/choices/string-mapping.bin"] = std::move(ranges);
  }

  // On choices where every outcome of a choice has the same, else on branches.
  void add_rewards(std::size_t k) {
    bool on_choices = true;
    bool is_zero = true;
    NumberKind kind;
    std::set<NumberId> met;
    const bool is_chosen = k == model_.chosen_reward() || !model_.has_all_rewards();
    const NumberTable& table = is_chosen ? model_.rewards() : model_.probabilities();
    const auto look = [&](Choice c) {
      for (const Outcome& o : model_.outcomes(c)) {
        const NumberId id = model_.reward_in(k, o);
        if (id != model_.reward_in(k, model_.outcomes(c)[0])) on_choices = false;
        if (!table.is_zero(id)) is_zero = false;
        if (met.insert(id).second) kind.meet(table.rational(id));
      }
    };
    for_each_choice(look, [](std::uint64_t) {});
    if (is_zero && model_.reward_names().empty()) return;
    std::map<NumberId, std::string> encoded;
    for (const NumberId id : met) encoded[id] = kind.encoded(table.rational(id));
    const std::size_t at = model_.has_all_rewards() ? k : model_.chosen_reward();
    std::string name = at < model_.reward_names().size() ? model_.reward_names()[at] : "";
    if (name.empty()) name = model_.has_costs() ? "cost" : "reward";
    const std::string id = reward_ids_.id(name);
    const char* place = on_choices ? "choices" : "branches";
    std::string& values = arrays_["annotations/rewards/" + id + "/" + place + "/values.bin"];
    const std::string zero = kind.encoded(0);
    for_each_choice(
        [&](Choice c) {
          for (const Outcome& o : model_.outcomes(c)) {
            values += encoded[model_.reward_in(k, o)];
            if (on_choices) break;
          }
        },
        [&](std::uint64_t) { values += zero; });
    append_annotation(rewards_json_, id, name, place, kind.json());
  }

  static void append_annotation(std::string& out,
                                const std::string& id,
                                const std::string& name,
                                const char* place,
                                const std::string& type) {
    out += out.empty() ? "\n      " : ",\n      ";
    append_json_string(out, id);
    out += ": {\"alias\": ";
    append_json_string(out, name);
    out += fmt::format(R"(, "applies-to": ["{}"], "type": {}}})", place, type);
  }

  void add_bits(const std::string& path, const std::vector<bool>& bits) {
    std::string& out = arrays_[path];
    for (std::size_t i = 0; i < bits.size(); i += 64) {
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < 64 && i + b < bits.size(); ++b)
        word |= std::uint64_t{bits[i + b] ? 1U : 0U} << b;
      append_value(out, word);
    }
  }

  void add_labels() {
    for (std::uint32_t label = 0; label < labels_.names().size(); ++label) {
      const std::string& name = labels_.names()[label];
      // Initial states have an array of their own.
      if (name == "init" || (name == "deadlock" && loops_ == 0)) continue;
      std::vector<bool> holds(model_.state_count(), false);
      for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
        const auto of_state = labels_.of(State{s});
        holds[s] = std::ranges::find(of_state, label) != of_state.end();
      }
      const std::string id = label_ids_.id(name);
      add_bits("annotations/aps/" + id + "/states/values.bin", holds);
      append_annotation(labels_json_, id, name, "states", R"({"type": "bool", "size": 1})");
    }
  }

  void add_states() {
    std::string ranges;
    std::uint64_t choices = 0;
    append_value(ranges, choices);
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      choices += std::max<std::size_t>(1, model_.choice_count(State{s}));
      append_value(ranges, choices);
    }
    arrays_["state-to-choices.bin"] = std::move(ranges);
    std::vector<bool> initial(model_.state_count(), false);
    for (const State s : written_initial(model_)) {
      initial[quantiplan::index(s)] = true;
      ++initial_count_;
    }
    if (initial_count_ > 0) add_bits("state-is-initial.bin", initial);
    if (auto valuations = umb_valuations(model_)) {
      valuations_json_ = std::move(valuations->json);
      arrays_["valuations/states/valuations.bin"] = std::move(valuations->bytes);
    } else if (!names_are_numbers(model_)) {
      lost_.emplace_back("the names of the states");
    }
  }

  [[nodiscard]] std::string index() const {
    std::string out = "{\n  \"format-version\": 1,\n  \"format-revision\": 0,\n";
    if (!model_.name().empty()) {
      out += "  \"model-data\": {\"name\": ";
      append_json_string(out, model_.name());
      out += "},\n";
    }
    out += "  \"file-data\": {\"tool\": \"Quantiplan\"},\n  \"transition-system\": {\n";
    out += fmt::format(
        "    \"time\": \"discrete\",\n    \"#players\": {},\n    \"#states\": {},\n"
        "    \"#initial-states\": {},\n    \"#choices\": {},\n    \"#choice-actions\": {},\n"
        "    \"#branches\": {},\n    \"#branch-actions\": 0,\n    \"#observations\": 0,\n"
        "    \"branch-probability-type\": {}\n  }}",
        model_.is_chain() ? 0 : 1,
        model_.state_count(),
        initial_count_,
        model_.choice_count() + loops_,
        actions_,
        model_.outcome_count() + loops_,
        probability_json_);
    if (!rewards_json_.empty() || !labels_json_.empty()) {
      out += ",\n  \"annotations\": {";
      const char* separator = "\n";
      for (const auto& [group, json] :
           {std::pair("rewards", &rewards_json_), std::pair("aps", &labels_json_)}) {
        if (json->empty()) continue;
        out += fmt::format("{}    \"{}\": {{{}\n    }}", separator, group, *json);
        separator = ",\n";
      }
      out += "\n  }";
    }
    if (!valuations_json_.empty()) out += ",\n  \"valuations\": " + valuations_json_;
    return out + "\n}\n";
  }

  const Model& model_;
  std::vector<std::string>& lost_;
  WorkWatch* watch_;
  WrittenLabels labels_;
  std::map<std::string, std::string> arrays_;  // by path
  UmbIds reward_ids_;
  UmbIds label_ids_;
  std::string probability_json_;
  std::string rewards_json_;
  std::string labels_json_;
  std::string valuations_json_;
  std::size_t actions_ = 0;
  std::size_t initial_count_ = 0;
  std::size_t loops_ = 0;  // of terminal states
};

}  // namespace

std::string format_umb_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch) {
  require_numbers(model, "a .umb");
  lost = settings_lost(model);
  std::erase(lost, "the name");
  return UmbWriter(model, lost, watch).write();
}

}  // namespace quantiplan
