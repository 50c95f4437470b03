#include "base/checkpoint_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/digest.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"
#include "quantiplan/version.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kMagic = 0x31544B4350515551U;  // "QUQPCKT1"
constexpr std::string_view kManifest = "manifest";

struct FileHead {
  std::uint64_t magic = kMagic;
  std::uint64_t version = QUANTIPLAN_VERSION;
  std::uint64_t problem = 0;
  std::uint64_t bytes = 0;  // of what follows, without the digest at the end
};

constexpr const char* kDamaged = "the checkpoint is damaged, expected a folder as it was written";
constexpr const char* kMissing = "not found, expected the folder as it was written";

// "74d205933f8626a6.at", be it of this problem or another.
bool is_of_checkpoint(std::string_view name) {
  constexpr std::array<std::string_view, 4> kEndings{".at", ".done", ".rules", ".part"};
  return name.size() > 16 && name[16] == '.' &&
         name.substr(0, 16).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}
// What write() gives its files until they are whole: "NAME.PROCESS.tmp".
bool is_unfinished(std::string_view name) {
  constexpr std::string_view kEnding = ".tmp";
  if (!name.ends_with(kEnding)) return false;
  name.remove_suffix(kEnding.size());
  name = name.substr(0, name.find_last_of('.'));
  return name == kManifest || is_of_checkpoint(name);
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorCode::io, path, fmt::format("{}: {}", what, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

void write_fully(int file, const void* data, std::size_t size, const std::string& path) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(file, at, std::min<std::size_t>(size, 1U << 30U));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path, "cannot write");
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

// The number read: less than asked for at the end of the file.
std::size_t read_fully(int file, void* data, std::size_t size, const std::string& path) {
  char* at = static_cast<char*>(data);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(file, at + done, std::min<std::size_t>(size - done, 1U << 30U));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::uint64_t digest_of_file(const std::string& name,
                             const FileHead& head,
                             const std::vector<std::byte>& bytes) {
  return Digest()
      .text(name)
      .value(head.magic)
      .value(head.version)
      .value(head.problem)
      .value(head.bytes)
      .bytes(bytes.data(), bytes.size())
      .result();
}

}  // namespace

void refuse_checkpoints(const Options& options, std::string_view with, std::string_view expected) {
  if (options.checkpoint.empty()) return;
  throw Error(ErrorCode::bad_request,
              "--checkpoint",
              fmt::format("found with {}, of which nothing is kept, expected {}", with, expected));
}

CheckpointFolder::CheckpointFolder(const Options& options)
    : folder_(options.checkpoint),
      interval_seconds_(60 * options.checkpoint_minutes),
      resumes_(options.resume),
      is_first_(!options.ranks || options.ranks->rank() == 0) {}

void CheckpointFolder::begin(std::uint64_t problem) {
  problem_ = problem;
  if (is_first_) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error)
      throw Error(
          ErrorCode::io, folder_, fmt::format("cannot make the folder: {}", error.message()));
    const std::string manifest(kManifest);
    const bool has_manifest = read(manifest).has_value();
    const bool has_files = tidy();
    if ((has_manifest || has_files) && !resumes_)
      throw Error(ErrorCode::refused,
                  folder_,
                  "found a checkpoint, expected --resume to go on from it, or another folder");
    if (has_files && !has_manifest) refuse(manifest, kMissing);
    if (!has_manifest) write(manifest, {});
  }
  has_begun_ = true;
}

bool CheckpointFolder::tidy() const {
  std::error_code error;
  bool has_files = false;
  std::vector<std::filesystem::path> unfinished;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    has_files = has_files || is_of_checkpoint(name);
    if (is_unfinished(name)) unfinished.push_back(entry.path());
  }
  for (const auto& each : unfinished) std::filesystem::remove(each, error);
  return has_files;
}

bool CheckpointFolder::is_due() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_;
  return passed.count() >= interval_seconds_;
}

// Not `refused`, which tells engines to make do with less.
void CheckpointFolder::refuse(const std::string& name, const std::string& why) const {
  throw Error(ErrorCode::io, path(name), why);
}

std::optional<std::vector<std::byte>> CheckpointFolder::read(const std::string& name) const {
  const std::string at = path(name);
  // A pipe in its place would be waited for.
  const Descriptor file(open(at.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) {
    if (errno == ENOENT) return std::nullopt;
    fail(at, "cannot open");
  }
  struct stat about {};
  if (fstat(file.number(), &about) != 0) fail(at, "cannot read");
  if (!S_ISREG(about.st_mode)) refuse(name, kDamaged);
  FileHead head;
  if (read_fully(file.number(), &head, sizeof head, at) < sizeof head || head.magic != kMagic)
    refuse(name, kDamaged);
  if (head.version != QUANTIPLAN_VERSION)
    refuse(name, "the checkpoint is of another version of the program, expected this one");
  constexpr std::uint64_t kAround = sizeof head + sizeof head.bytes;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size < kAround || head.bytes != size - kAround) refuse(name, kDamaged);
  if (head.problem != problem_)
    refuse(name,
           "the checkpoint is of another problem, expected the same model, question and options");
  std::vector<std::byte> bytes(head.bytes);
  std::uint64_t digest = 0;
  if (read_fully(file.number(), bytes.data(), bytes.size(), at) < bytes.size() ||
      read_fully(file.number(), &digest, sizeof digest, at) < sizeof digest ||
      digest != digest_of_file(name, head, bytes))
    refuse(name, kDamaged);
  return bytes;
}

void CheckpointFolder::write(const std::string& name, const std::vector<std::byte>& bytes) const {
  const std::string at = path(name);
  const std::string meanwhile = fmt::format("{}.{}.tmp", at, getpid());
  try {
    const Descriptor file(open(meanwhile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.number() < 0) fail(meanwhile, "cannot make");
    FileHead head;
    head.problem = problem_;
    head.bytes = bytes.size();
    const std::uint64_t digest = digest_of_file(name, head, bytes);
    write_fully(file.number(), &head, sizeof head, meanwhile);
    write_fully(file.number(), bytes.data(), bytes.size(), meanwhile);
    write_fully(file.number(), &digest, sizeof digest, meanwhile);
    if (fsync(file.number()) != 0) fail(meanwhile, "cannot write");
  } catch (const Error&) {
    // On a full disk, what is left of it counts.
    unlink(meanwhile.c_str());
    throw;
  }
  if (std::rename(meanwhile.c_str(), at.c_str()) != 0) fail(at, "cannot rename");
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) fsync(folder.number());
}

void CheckpointFolder::remove(const std::string& prefix,
                              const std::string& suffix,
                              const std::vector<std::string>& kept) const noexcept {
  std::error_code ignored;
  std::vector<std::filesystem::path> gone;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(suffix) &&
        std::ranges::find(kept, name) == kept.end())
      gone.push_back(entry.path());
  }
  for (const auto& each : gone) std::filesystem::remove(each, ignored);
}

}  // namespace quantiplan
