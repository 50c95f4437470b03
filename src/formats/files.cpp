// Whole files in and out. A file appears complete under its name, or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, path, what + ": " + std::strerror(error));
}

// A descriptor that is closed whatever happens.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  // Some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

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

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// For devices and pipes, which cannot be replaced.
void write_in_place(const std::string& path, std::string_view text) {
  Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (out.get() < 0) fail(path, "cannot open for writing", errno);
  if (!write_all(out.get(), text) || !out.close()) fail(path, "cannot write", errno);
}

// Where a link points to: the link stays, the file behind it is replaced.
std::string behind_links(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

void replace(const std::string& path, std::string_view text, mode_t mode) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary =
      path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
  Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (out.get() < 0) fail(path, "cannot open for writing", errno);
  if (!write_all(out.get(), text) || !out.close() ||
      ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(path, "cannot write", error);
  }
}

}  // namespace

std::string read_text(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) fail(path, "cannot open", errno);
  return read_all(in.get(), path);
}

void write_text(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (!write_all(STDOUT_FILENO, text)) fail("standard output", "cannot write", errno);
    return;
  }
  const std::string target = behind_links(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_in_place(target, text);
  constexpr mode_t kPermissions = 0777;
  replace(target, text, exists ? status.st_mode & kPermissions : 0666);
}

}  // namespace quantiplan
