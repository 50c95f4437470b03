// From the draft of a wealth structure to the structure: names to positions, keys to kinds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/json/wealth_draft.hpp"

namespace quantiplan {

class WealthSettler {
 public:
  WealthSettler(const WealthDraft& draft, std::vector<TextFault>& faults)
      : draft_(draft), faults_(faults) {}
  // The structure; nullopt if `faults` say what is wrong with it.
  std::optional<Wealth> settle();

 private:
  using Positions = std::unordered_map<std::string_view, std::uint32_t>;

  void problem(std::uint64_t line, std::string message);
  [[nodiscard]] bool is_enough() const;
  void unknown_kind();
  void check_keys();
  void settle_counts();

  // Automaton and table (wealth_settler.cpp).
  void settle_automaton();
  void take_classes_of_table();
  void take_classes_of_automaton();
  void take_labels();
  void take_start();
  void take_transitions();
  void fill_other_labels();
  // Adds a name to a list and its positions; false, with a problem, if it is there already.
  bool add(const WealthDraft::Name& name,
           const char* key,
           std::vector<std::string>& names,
           Positions& positions);
  // The position of a name; a problem if there is none.
  std::optional<std::uint32_t> find(const WealthDraft::Name& name,
                                    const std::string& where,
                                    const char* what,
                                    const Positions& positions);
  [[nodiscard]] const char* node_word() const {
    return wealth_.kind == WealthKind::table ? "class" : "state";
  }

  const WealthDraft& draft_;
  std::vector<TextFault>& faults_;
  Wealth wealth_;
  Positions nodes_;
  Positions labels_;
  std::vector<std::uint32_t> others_;  // by node: where every other label leads
};

}  // namespace quantiplan
