// Names that are made when they are asked for: of states that are stored as packed values, where the
// texts would take ten times the room of all the rest.
//
// Texts that were asked for are kept, so that views of them stay valid. Safe from any thread once it
// does not grow any more.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace quantiplan {

class NameSource {
 public:
  NameSource() = default;
  NameSource(const NameSource&) = delete;
  NameSource& operator=(const NameSource&) = delete;
  virtual ~NameSource() = default;

  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;
  [[nodiscard]] virtual std::string name(std::uint32_t i) const = 0;
  // The number of a name; it need not be quick.
  [[nodiscard]] virtual std::optional<std::uint32_t> find(std::string_view name) const = 0;
  // Without the texts that were asked for.
  [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;

  // name(i), kept.
  [[nodiscard]] std::string_view text(std::uint32_t i) const {
    const std::scoped_lock lock(lock_);
    const auto known = made_.find(i);
    return known != made_.end() ? known->second : made_.emplace(i, name(i)).first->second;
  }

 private:
  mutable std::mutex lock_;
  mutable std::unordered_map<std::uint32_t, std::string> made_;
};

}  // namespace quantiplan
