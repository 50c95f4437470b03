#include "base/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quantiplan {

struct Digest::State {
  XXH3_state_t xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh); }
Digest::~Digest() = default;

Digest& Digest::bytes(const void* data, std::size_t size) {
  if (size > 0) XXH3_64bits_update(&state_->xxh, data, size);
  return *this;
}

Digest& Digest::text(std::string_view text) {
  value(static_cast<std::uint64_t>(text.size()));
  return bytes(text.data(), text.size());
}

std::uint64_t Digest::result() const { return XXH3_64bits_digest(&state_->xxh); }

std::uint64_t digest_of(const void* data, std::size_t size) { return XXH3_64bits(data, size); }

}  // namespace quantiplan
