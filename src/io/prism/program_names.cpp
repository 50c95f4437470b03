#include "io/prism/program_names.hpp"

#include <charconv>

namespace quantiplan::prism {

std::string ProgramNames::name(std::uint32_t i) const {
  std::vector<std::int64_t> values(variables_.size());
  states_.unpack(i, values.data());
  std::string out;
  append_name(out, variables_, values.data());
  return out;
}

std::optional<std::uint32_t> ProgramNames::find(std::string_view name) const {
  constexpr unsigned kFew = 4;
  const auto values = values_of(name);
  if (!values) return std::nullopt;
  const std::scoped_lock lock(lock_);
  if (states_.is_sealed() && ++looked_for_ == kFew) states_.make_index();
  return states_.find(values->data());
}

std::uint64_t ProgramNames::bytes() const noexcept {
  const std::scoped_lock lock(lock_);
  std::uint64_t sum = sizeof(*this) + states_.bytes();
  for (const MachineVariable& v : variables_) sum += sizeof(v) + v.name.capacity();
  return sum;
}

std::optional<std::vector<std::int64_t>> ProgramNames::values_of(std::string_view name) const {
  const auto take = [&](std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
  };
  std::vector<std::int64_t> values;
  if (!take("(")) return std::nullopt;
  for (const MachineVariable& v : variables_) {
    if ((!values.empty() && !take(",")) || !take(v.name) || !take("=")) return std::nullopt;
    std::int64_t value = 0;
    if (v.is_truth) {
      value = take("true") ? 1 : 0;
      if (value == 0 && !take("false")) return std::nullopt;
    } else {
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
      const bool is_plain =
          error == std::errc() &&
          name.substr(0, static_cast<std::size_t>(end - name.data())) == std::to_string(value);
      if (!is_plain || value < v.low || value > v.high) return std::nullopt;
      name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    }
    values.push_back(value);
  }
  return name == ")" ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace quantiplan::prism
