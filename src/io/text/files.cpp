// Whole files in.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/memory.hpp"
#include "io/text/descriptor.hpp"
#include "io/text/file_bytes.hpp"
#include "io/text/other_formats.hpp"
#include "io/text/unpacked.hpp"
#include "io/text/watched_text.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void fail_to_read(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, path, what + ": " + std::strerror(error));
}

// The beginning of a file tells a text from what is none: /dev/zero, a disk, an archive. The rest is
// not read then; a NUL further on is found with the text's other faults.
void require_text(std::string_view beginning, const std::string& path) {
  refuse_other_format(beginning, path);
  const auto nul = std::ranges::find(beginning, '\0');
  if (nul == beginning.end()) return;
  const auto line = 1 + std::count(beginning.begin(), nul, '\n');
  throw Error(ErrorCode::io, path + ":" + std::to_string(line), "found a NUL byte, must be text");
}

std::string read_all(int descriptor,
                     const std::string& path,
                     WorkWatch& watch,
                     bool may_be_archive) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    fail_to_read(path, "cannot read", EISDIR);
  // After the first block, memory is taken once where the size is known; the last byte of it meets
  // the end of the file.
  constexpr std::size_t kBlock = 65536;
  const bool has_size = S_ISREG(status.st_mode) && status.st_size > 0;
  std::string text;
  std::size_t room = kBlock;
  std::size_t size = 0;
  for (;;) {
    if (room > text.size()) {
      watch.ask(room);
      text.resize(room);
    }
    const ssize_t got = ::read(descriptor, text.data() + size, text.size() - size);
    if (got < 0 && errno != EINTR) fail_to_read(path, "cannot read", errno);
    if (got == 0) break;
    watch.look();
    const bool is_first = size == 0;
    size += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    const std::string_view beginning = std::string_view(text).substr(0, size);
    if (is_first && !packing_of(beginning) && !(may_be_archive && is_archive(beginning)))
      require_text(beginning, path);
    if (is_first && has_size) room = std::max(room, static_cast<std::size_t>(status.st_size) + 1);
    if (!has_size && size > most_of_a_stream(watch.limit())) {
      throw Error(ErrorCode::io,
                  path,
                  "more than " + bytes_text(most_of_a_stream(watch.limit())) +
                      " came, and no end; expected less, or a file");
    }
    if (size == room) room = size + std::max(size / 2, kBlock);
  }
  text.resize(size);
  const auto packing = packing_of(text);
  if (!packing) return text;
  std::string plain = unpacked(text, *packing, path, watch);
  const std::string_view beginning = std::string_view(plain).substr(0, kBlock);
  if (!(may_be_archive && is_archive(beginning))) require_text(beginning, path);
  return plain;
}

}  // namespace

std::string read_text(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  WorkWatch watch({name, "reading " + name, "read"}, ReadOptions{});
  return read_text(path, watch);
}

namespace {

std::string read_whole(const std::string& path, WorkWatch& watch, bool may_be_archive) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", watch, may_be_archive);
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) fail_to_read(path, "cannot open", errno);
  return read_all(in.get(), path, watch, may_be_archive);
}

}  // namespace

std::string read_text(const std::string& path, WorkWatch& watch) {
  return read_whole(path, watch, false);
}

FileBytes FileBytes::mapped(int descriptor, std::size_t size) {
  FileBytes out{std::string()};
  void* const at =
      size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (at == MAP_FAILED) return out;
  ::madvise(at, size, MADV_SEQUENTIAL);
  out.mapped_ = at;
  out.size_ = size;
  return out;
}

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

namespace {

// Of a regular file that begins as a tar does; empty for all others.
FileBytes mapped_archive(const std::string& path) {
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!in.is_open() || ::fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return FileBytes{std::string()};
  FileBytes bytes = FileBytes::mapped(in.get(), static_cast<std::size_t>(status.st_size));
  if (is_archive(bytes.view()) && !packing_of(bytes.view())) return bytes;
  return FileBytes{std::string()};
}

}  // namespace

FileBytes read_text_or_archive(const std::string& path, WorkWatch& watch) {
  if (path != "-") {
    FileBytes archive = mapped_archive(path);
    if (!archive.view().empty()) return archive;
  }
  return FileBytes(read_whole(path, watch, true));
}

bool is_archive(std::string_view beginning) {
  constexpr std::size_t kTarMark = 257;
  const bool is_tar = beginning.size() > kTarMark && beginning.substr(kTarMark, 5) == "ustar";
  return is_tar || packing_of(beginning).has_value();
}

}  // namespace quantiplan
