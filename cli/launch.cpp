#include "launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "console/console.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::cli {
namespace {

std::shared_ptr<RankGroup> joined_group;
bool helper = false;
void (*end_mpi)() = nullptr;

// As launchers tell their processes: Open MPI, then those that speak PMI (MPICH, Intel), PMIx or
// Slurm alone.
std::optional<std::uint32_t> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  std::uint32_t number = 0;
  const std::string_view view(text);
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
  if (error != std::errc() || end != view.data() + view.size()) return std::nullopt;
  return number;
}

struct Place {
  std::uint32_t size = 1;
  std::uint32_t rank = 0;
  const char* variable = "";
};

constexpr std::array<std::pair<const char*, const char*>, 2> kLaunchers{
    {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}}};

Place place_of_launch() {
  for (const auto& [size, rank] : kLaunchers)
    if (const auto count = number_in(size)) return {*count, number_in(rank).value_or(0), size};
  // Under srun every program has these, and mpirun does not: PMIx says that MPI is meant.
  if (std::getenv("PMIX_NAMESPACE") != nullptr)
    return {number_in("SLURM_NTASKS").value_or(1),
            number_in("PMIX_RANK").value_or(0),
            "PMIX_NAMESPACE"};
  return {};
}

// Beside the program, or where it is installed.
void* open_module() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  std::string folder(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  folder.resize(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/'));
  for (const char* place : {"/", "/../" QUANTIPLAN_LIBDIR "/quantiplan/"}) {
    // Open MPI's own modules look for its symbols among the global ones.
    void* module = dlopen((folder + place + "quantiplan-mpi.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module != nullptr) return module;
  }
  return nullptr;
}

template <class Function>
Function function_of(void* module, const char* name) {
  return reinterpret_cast<Function>(dlsym(module, name));
}

std::uint64_t digest_of_arguments(int argc, char** argv) {
  // FNV-1a; what is compared are a few words.
  std::uint64_t digest = 0xCBF29CE484222325U;
  for (int i = 1; i < argc; ++i) {
    for (const char* at = argv[i];; ++at) {
      digest = (digest ^ static_cast<unsigned char>(*at)) * 0x100000001B3U;
      if (*at == '\0') break;
    }
  }
  return digest;
}

}  // namespace

bool Launch::is_launched() noexcept {
  return std::getenv("PMIX_NAMESPACE") != nullptr ||
         std::ranges::any_of(kLaunchers,
                             [](const auto& names) { return std::getenv(names.first) != nullptr; });
}

void Launch::join(int argc, char** argv) {
  const Place place = place_of_launch();
  if (place.size < 2) return;
  helper = place.rank > 0;
  silence_console(helper);
  void* module = open_module();
  if (module == nullptr) {
    const char* why = dlerror();
    throw Error(ErrorCode::refused,
                "ranks",
                fmt::format("found a launch of {} processes, expected one: this program has no MPI "
                            "({}); build it where MPI is installed (libopenmpi-dev), or start it "
                            "without mpirun",
                            place.size,
                            why != nullptr ? why : "no quantiplan-mpi.so"));
  }
  const auto begin = function_of<Ranks* (*)()>(module, "quantiplan_mpi_begin");
  end_mpi = function_of<void (*)()>(module, "quantiplan_mpi_end");
  std::unique_ptr<Ranks> ranks(begin != nullptr ? begin() : nullptr);
  if (!ranks) throw Error(ErrorCode::refused, "ranks", "MPI could not be begun");
  if (ranks->size() != place.size) {
    // Nobody speaks for the others here.
    helper = false;
    silence_console(false);
    throw Error(ErrorCode::refused,
                "ranks",
                fmt::format("found a launch of {} processes of which MPI knows {}, expected one "
                            "MPI: the launcher is of another, or its variables ({}) have reached a "
                            "process that it did not start",
                            place.size,
                            ranks->size(),
                            place.variable));
  }
  helper = ranks->rank() > 0;
  silence_console(helper);
  joined_group = std::make_shared<RankGroup>(std::move(ranks));
#ifdef __GLIBC__
  // Messages of megabytes come and go at every step: memory that was used once is kept, since fresh
  // pages cost more than the copying.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  joined_group->agree("command line", digest_of_arguments(argc, argv));
}

const std::shared_ptr<RankGroup>& Launch::group() noexcept { return joined_group; }
bool Launch::is_helper() noexcept { return helper; }

void Launch::leave_to_first() noexcept {
  if (!joined_group) return;
  const int code = leave(ExitCode::solved);
  if (helper) std::_Exit(code);
}

int Launch::leave(ExitCode code) noexcept {
  if (joined_group) {
    try {
      const bool failed = code == ExitCode::refused || code == ExitCode::our_fault;
      // Where there is no memory, nothing was put down.
      joined_group->take_leave(!failed                   ? std::string()
                               : silenced_text().empty() ? kNoMemory
                                                         : silenced_text());
    } catch (...) {  // NOLINT(bugprone-empty-catch): rank 0 has gone, too
    }
    joined_group.reset();
    if (end_mpi != nullptr) end_mpi();
  }
  return helper ? 0 : static_cast<int>(code);
}

}  // namespace quantiplan::cli
