// Numbers in a message, one after another; who reads it knows their order.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "quantiplan/error.hpp"

namespace quantiplan {

template <class T>
void put(std::vector<std::byte>& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

template <class T>
void put_all(std::vector<std::byte>& out, std::span<const T> values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size_bytes());
}

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  template <class T>
  void get_all(std::span<T> into) {
    if (!into.empty()) std::memcpy(into.data(), take(into.size_bytes()), into.size_bytes());
  }
  [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }
  // The next bytes as they are.
  const std::byte* take(std::size_t size) {
    if (left_.size() < size)
      throw Error(
          ErrorCode::bad_request, "ranks", "a message ends early, expected one layout on all");
    const std::byte* at = left_.data();
    left_ = left_.subspan(size);
    return at;
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace quantiplan
