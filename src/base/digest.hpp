// A short value that tells inputs apart: XXH3, 64 bits. Not against forgery, but against mistakes.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quantiplan {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  Digest& bytes(const void* data, std::size_t size);
  // With its length, so that neighbours are told apart.
  Digest& text(std::string_view text);
  template <class T>
  Digest& value(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "no padding, no pointers");
    return bytes(&value, sizeof value);
  }
  [[nodiscard]] std::uint64_t result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of a single piece.
std::uint64_t digest_of(const void* data, std::size_t size);

}  // namespace quantiplan
