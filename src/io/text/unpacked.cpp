#include "io/text/unpacked.hpp"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <memory>
#include <new>

#include "base/memory.hpp"
#include "io/text/watched_text.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using namespace std::string_view_literals;

constexpr std::array kPackedEndings{".gz"sv, ".xz"sv, ".zst"sv};
constexpr std::size_t kOutBlock = 65536;
// What comes out of a few bytes: models shrink to some per cent, a bomb to a thousandth.
constexpr std::uint64_t kMostFromLittle = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMostExpansion = 400;
// Decoders look back: a packed file says how far, and must not say more than this part of the limit.
constexpr std::uint64_t kShareOfDecoder = 4;

[[noreturn]] void fail_to_unpack(const std::string& path, const char* tool, const char* what) {
  throw Error(ErrorCode::io,
              path,
              std::string("found ") + what + ", expected the whole of what " + tool + " wrote");
}

// What came out so far, and room for more.
class Unpacking {
 public:
  Unpacking(std::size_t packed, std::string path, WorkWatch& watch)
      : path_(std::move(path)),
        watch_(watch),
        most_(std::min(most_of_a_stream(watch.limit()),
                       std::max(kMostFromLittle, kMostExpansion * packed))) {}

  // At least one byte; what is put there is counted by add().
  char* room() {
    if (size_ == text_.size()) {
      const std::size_t wanted =
          std::min<std::size_t>(size_ + std::max(size_ / 2, kOutBlock), most_ + kOutBlock);
      watch_.ask(wanted);
      text_.resize(wanted);
    }
    return text_.data() + size_;
  }
  [[nodiscard]] std::size_t space() const { return std::min(text_.size() - size_, kOutBlock); }
  void add(std::size_t bytes) {
    watch_.look();
    size_ += bytes;
    if (size_ <= most_) return;
    throw Error(ErrorCode::io,
                path_,
                "more than " + bytes_text(most_) +
                    " came out of it, and no end; expected less, or an unpacked file");
  }
  std::string take() {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  std::string path_;
  WorkWatch& watch_;
  std::uint64_t most_;
  std::string text_;
  std::size_t size_ = 0;
};

void gunzip(std::string_view packed, const std::string& path, Unpacking& out) {
  z_stream stream{};
  constexpr int kGzipOnly = 15 + 16;
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, void (*)(z_stream*)> end(&stream,
                                                           [](z_stream* s) { inflateEnd(s); });
  for (;;) {
    if (stream.avail_in == 0 && !packed.empty()) {
      // zlib takes pointers to what it only reads, and counts in 32 bits.
      const std::size_t given = std::min<std::size_t>(packed.size(), 1U << 30U);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream.avail_in = static_cast<uInt>(given);
      packed.remove_prefix(given);
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.room());
    const std::size_t space = out.space();
    stream.avail_out = static_cast<uInt>(space);
    const int said = inflate(&stream, Z_NO_FLUSH);
    out.add(space - stream.avail_out);
    if (said == Z_STREAM_END) {
      const std::string_view rest(reinterpret_cast<const char*>(stream.next_in),
                                  stream.avail_in + packed.size());
      if (rest.empty()) return;
      if (packing_of(rest) != Packing::gzip)
        fail_to_unpack(path, "gzip", "other bytes behind the end");
      inflateReset(&stream);
    } else if (said == Z_BUF_ERROR) {  // there is always room: nothing more came in
      fail_to_unpack(path, "gzip", "an end in the middle");
    } else if (said == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (said != Z_OK) {
      fail_to_unpack(path, "gzip", "damaged data");
    }
  }
}

void unxz(std::string_view packed,
          const std::string& path,
          std::uint64_t memory_limit,
          Unpacking& out) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, memory_limit, LZMA_CONCATENATED) != LZMA_OK)
    throw std::bad_alloc();
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> end(&stream, lzma_end);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  for (;;) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.room());
    const std::size_t space = out.space();
    stream.avail_out = space;
    const lzma_ret said = lzma_code(&stream, LZMA_FINISH);
    out.add(space - stream.avail_out);
    if (said == LZMA_STREAM_END) return;
    if (said == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (said == LZMA_MEMLIMIT_ERROR)
      throw Error(ErrorCode::refused,
                  "memory",
                  "unpacking " + path + " needs more than " + bytes_text(memory_limit) +
                      ", a quarter of the limit; expected an unpacked file, or more memory");
    if (said == LZMA_BUF_ERROR) fail_to_unpack(path, "xz", "an end in the middle");
    if (said != LZMA_OK) fail_to_unpack(path, "xz", "damaged data");
  }
}

void unzstd(std::string_view packed,
            const std::string& path,
            std::uint64_t memory_limit,
            Unpacking& out) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  // Up to 2^27 bytes, zstd's own bound.
  const int window = std::clamp(static_cast<int>(std::bit_width(memory_limit)) - 1, 10, 27);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;  // of the frame; 0 at its end
  for (;;) {
    char* const room = out.room();
    ZSTD_outBuffer to{room, out.space(), 0};
    left = ZSTD_decompressStream(context.get(), &to, &in);
    if (ZSTD_isError(left) != 0) {
      if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge)
        throw Error(ErrorCode::refused,
                    "memory",
                    "unpacking " + path + " needs more than " + bytes_text(memory_limit) +
                        ", a quarter of the limit; expected an unpacked file, or more memory");
      fail_to_unpack(path, "zstd", "damaged data");
    }
    out.add(to.pos);
    if (in.pos < in.size || to.pos == to.size) continue;
    if (left == 0) return;
    if (to.pos == 0) fail_to_unpack(path, "zstd", "an end in the middle");
  }
}

}  // namespace

std::optional<Packing> packing_of(std::string_view beginning) {
  if (beginning.starts_with("\x1f\x8b"sv)) return Packing::gzip;
  if (beginning.starts_with("\xfd"
                            "7zXZ\0"sv))
    return Packing::xz;
  if (beginning.starts_with("\x28\xb5\x2f\xfd"sv)) return Packing::zstd;
  return std::nullopt;
}

std::string without_packing(const std::string& path) {
  for (const std::string_view ending : kPackedEndings) {
    if (path.ends_with(ending) && path.size() > ending.size())
      return path.substr(0, path.size() - ending.size());
  }
  return path;
}

std::string plain_or_packed(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  for (const std::string_view ending : kPackedEndings) {
    if (std::filesystem::exists(path + std::string(ending), ignored))
      return path + std::string(ending);
  }
  return path;
}

std::string unpacked(std::string_view packed,
                     Packing packing,
                     const std::string& path,
                     WorkWatch& watch) {
  Unpacking out(packed.size(), path, watch);
  const std::uint64_t limit = std::max<std::uint64_t>(watch.limit() / kShareOfDecoder, 1U << 20U);
  switch (packing) {
    case Packing::gzip:
      gunzip(packed, path, out);
      break;
    case Packing::xz:
      unxz(packed, path, limit, out);
      break;
    case Packing::zstd:
      unzstd(packed, path, limit, out);
      break;
  }
  return out.take();
}

}  // namespace quantiplan
