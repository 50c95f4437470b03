// Whole files in.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "descriptor.hpp"
#include "memory.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "watched_text.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void fail_to_read(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, path, what + ": " + std::strerror(error));
}

std::string read_all(int descriptor, const std::string& path, WorkWatch& watch) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    fail_to_read(path, "cannot read", EISDIR);
  // Where the size is known, memory is taken once; the last byte of it meets the end of the file.
  constexpr std::size_t kBlock = 65536;
  const bool has_size = S_ISREG(status.st_mode) && status.st_size > 0;
  std::string text;
  std::size_t room = has_size ? static_cast<std::size_t>(status.st_size) + 1 : kBlock;
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
    size += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    if (!has_size && size > kMostOfAStream) {
      throw Error(ErrorCode::io,
                  path,
                  "more than " + bytes_text(kMostOfAStream) +
                      " came, and no end; expected less, or a file");
    }
    if (size == text.size()) room = size + std::max(size / 2, kBlock);
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string read_text(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  WorkWatch watch({name, "reading " + name, "read"}, ReadOptions{});
  return read_text(path, watch);
}

std::string read_text(const std::string& path, WorkWatch& watch) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", watch);
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) fail_to_read(path, "cannot open", errno);
  return read_all(in.get(), path, watch);
}

}  // namespace quantiplan
