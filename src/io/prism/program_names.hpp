// The states that an exploration met, and their names, which are made of the packed values.
//
//     (s=3,b=true)      values in the order of declaration
//
// A name is found by reading its values back. Cost: 8 bytes a word of packed values; a few names are
// found in a scan each, more by an index of 6 to 12 bytes a state.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/prism/prism_machine.hpp"
#include "io/prism/state_set.hpp"
#include "numbers/name_source.hpp"

namespace quantiplan::prism {

class ProgramNames final : public NameSource {
 public:
  explicit ProgramNames(const std::vector<MachineVariable>& variables)
      : variables_(variables), states_(variables_) {}

  [[nodiscard]] StateSet& states() noexcept { return states_; }

  [[nodiscard]] std::uint32_t size() const noexcept override { return states_.size(); }
  [[nodiscard]] std::string name(std::uint32_t i) const override;
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const override;
  [[nodiscard]] std::uint64_t bytes() const noexcept override;

 private:
  // Nullopt if it is no name that a state could have.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> values_of(std::string_view name) const;

  std::vector<MachineVariable> variables_;
  mutable std::mutex lock_;  // of the index
  mutable unsigned looked_for_ = 0;
  mutable StateSet states_;
};

}  // namespace quantiplan::prism
