// Whole files in.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "descriptor.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, path, what + ": " + std::strerror(error));
}

std::string read_all(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    fail(path, "cannot read", EISDIR);
  // Where the size is known, memory is taken once; the last byte of it meets the end of the file.
  constexpr std::size_t kBlock = 65536;
  std::string text(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : kBlock,
                   '\0');
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) text.resize(size + std::max(size / 2, kBlock));
    const ssize_t got = ::read(descriptor, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace

std::string read_text(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) fail(path, "cannot open", errno);
  return read_all(in.get(), path);
}

}  // namespace quantiplan
