// Whole files out. A file appears complete under its name, or not at all.
//
//     1. a file without a name in the same folder, so that a program that is killed leaves nothing
//        (where the file system has none: ".quantiplan-PID-N.tmp")
//     2. the text, and fsync: after a power cut a name never stands for half of it
//     3. a name beside the target, renamed over it at once
//     4. fsync of the folder
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "io/text/descriptor.hpp"
#include "io/text/output_place.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw Error(ErrorCode::io, path, what + ": " + std::strerror(error));
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

// Some file systems have nothing to wait for, and say so.
bool reaches_the_disk(int descriptor) {
  int result = 0;
  do result = ::fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL || errno == ENOTSUP;
}

// For devices and pipes, which cannot be replaced.
void write_in_place(const std::string& path, std::string_view text) {
  Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out.is_open()) fail(path, "cannot open for writing", errno);
  if (!write_all(out.get(), text) || !out.close()) fail(path, "cannot write", errno);
}

// Short, whatever the target is called: long names are as long as names can be.
std::string temporary_in(const std::string& folder) {
  static std::atomic<unsigned> counter{0};
  return folder + "/.quantiplan-" + std::to_string(::getpid()) + "-" +
         std::to_string(counter.fetch_add(1)) + ".tmp";
}

bool fill(int descriptor, std::string_view text, std::optional<mode_t> mode) {
  // What open() gives is cut by the umask.
  if (mode && ::fchmod(descriptor, *mode) != 0) return false;
  return write_all(descriptor, text) && reaches_the_disk(descriptor);
}

// Over the target; or gone, with the reason in errno.
bool put_in_place(const std::string& temporary, const std::string& target) {
  if (::rename(temporary.c_str(), target.c_str()) == 0) return true;
  const int error = errno;
  ::unlink(temporary.c_str());
  errno = error;
  return false;
}

// False if the file system has no files without names, or no way to name them.
bool replace_unnamed(const OutputPlace& place, std::string_view text, const std::string& path) {
  const std::string folder = folder_of(place.path);
  const Descriptor out(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (!out.is_open()) return false;
  if (!fill(out.get(), text, place.mode)) fail(path, "cannot write", errno);
  const std::string self = "/proc/self/fd/" + std::to_string(out.get());
  const std::string temporary = temporary_in(folder);
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return false;
  if (!put_in_place(temporary, place.path)) fail(path, "cannot write", errno);
  return true;
}

void replace_named(const OutputPlace& place, std::string_view text, const std::string& path) {
  const std::string temporary = temporary_in(folder_of(place.path));
  Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!out.is_open()) fail(path, "cannot open for writing", errno);
  if (!fill(out.get(), text, place.mode) || !out.close()) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(path, "cannot write", error);
  }
  if (!put_in_place(temporary, place.path)) fail(path, "cannot write", errno);
}

void replace(const OutputPlace& place, std::string_view text, const std::string& path) {
  if (!replace_unnamed(place, text, path)) replace_named(place, text, path);
  // A folder that may be written but not read cannot be opened; its file is in place all the same.
  const Descriptor folder(
      ::open(folder_of(place.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open() && !reaches_the_disk(folder.get())) fail(path, "cannot write", errno);
}

}  // namespace

void require_writable(const std::string& path) {
  if (path == "-") return;
  const OutputPlace place = output_place(path);
  if (place.kind == OutputPlace::Kind::descriptor) {
    const int flags = ::fcntl(place.descriptor, F_GETFL);
    if (flags < 0) fail(path, "cannot write", errno);
    if ((flags & O_ACCMODE) == O_RDONLY) fail(path, "cannot write", EBADF);
    return;
  }
  // A file is replaced, so its folder must take a new one; a device is written to.
  const bool is_file = place.kind == OutputPlace::Kind::file;
  const std::string& needed = is_file ? folder_of(place.path) : place.path;
  if (::access(needed.c_str(), is_file ? W_OK | X_OK : W_OK) != 0)
    fail(path, "cannot write", errno);
}

void write_text(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (!write_all(STDOUT_FILENO, text)) fail("standard output", "cannot write", errno);
    return;
  }
  const OutputPlace place = output_place(path);
  switch (place.kind) {
    case OutputPlace::Kind::descriptor:
      if (!write_all(place.descriptor, text)) fail(path, "cannot write", errno);
      return;
    case OutputPlace::Kind::device:
      return write_in_place(place.path, text);
    case OutputPlace::Kind::file:
      return replace(place, text, path);
  }
}

}  // namespace quantiplan
