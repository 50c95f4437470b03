#include "device/device_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace quantiplan {
namespace {

namespace fs = std::filesystem;

// FNV-1a: a name for a text, and a guard against torn files; nobody is kept out by it.
std::uint64_t hash_of_bytes(std::string_view bytes, std::uint64_t hash = 0xCBF29CE484222325U) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

std::uint64_t hash_of_source(const std::string& key) {
  std::uint64_t hash = hash_of_bytes(key);
  for (const KernelText& text : kernel_texts()) hash = hash_of_bytes(text.text, hash);
  return hash;
}

// First line of a file: the length and the hash of what follows.
std::string heading_of(std::string_view code) {
  return fmt::format("quantiplan kernels {} {:016x}\n", code.size(), hash_of_bytes(code));
}

std::vector<char> read_cached(const fs::path& path) {
  // A pipe in its place would be waited for, a device read without end.
  constexpr std::uintmax_t kMostBytes = 64U << 20U;
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) > kMostBytes) return {};
  std::ifstream file(path, std::ios::binary);
  std::string heading;
  if (!std::getline(file, heading)) return {};
  std::vector<char> code{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (heading + "\n" != heading_of({code.data(), code.size()})) return {};
  return code;
}

void write_cached(const fs::path& path, const std::vector<char>& code) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) return;
  const fs::path other = fmt::format("{}.{}", path.string(), getpid());
  {
    std::ofstream file(other, std::ios::binary);
    file << heading_of({code.data(), code.size()});
    file.write(code.data(), static_cast<std::streamsize>(code.size()));
    file.close();
    if (!file) {
      fs::remove(other, failed);
      return;
    }
  }
  fs::rename(other, path, failed);
  if (failed) fs::remove(other, failed);
}

std::vector<char> compiled(const CudaCompiler& compiler,
                           const std::string& architecture,
                           std::string& why) {
  void* program = nullptr;
  std::string source;
  std::vector<const char*> headers;
  std::vector<const char*> names;
  for (const KernelText& text : kernel_texts()) {
    source += fmt::format("#include \"{}\"\n", text.name);
    headers.push_back(text.text);
    names.push_back(text.name);
  }
  if (compiler.create(&program,
                      source.c_str(),
                      "kernels",
                      static_cast<int>(names.size()),
                      headers.data(),
                      names.data()) != 0) {
    why = "libnvrtc refused the kernels";
    return {};
  }
  const std::string target = "--gpu-architecture=" + architecture;
  // Without fused multiply-adds, so that a sum has the bits that the host gives it.
  const char* const options[] = {target.c_str(), "--fmad=false", "--std=c++17"};
  const int result = compiler.compile(program, 3, options);
  std::vector<char> code;
  std::size_t size = 0;
  if (result == 0 && compiler.code_size(program, &size) == 0) {
    code.resize(size);
    if (compiler.code(program, code.data()) != 0) code.clear();
  }
  if (code.empty()) {
    std::string log;
    if (compiler.log_size(program, &size) == 0 && size > 1) {
      log.resize(size);
      compiler.log(program, log.data());
    }
    why = fmt::format("libnvrtc could not compile the kernels for {}: {} {}",
                      architecture,
                      compiler.error_text(result),
                      log.c_str());
  }
  compiler.destroy(&program);
  return code;
}

}  // namespace

std::string kernel_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/quantiplan";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/quantiplan";
  return {};
}

std::vector<char> device_program(const CudaCompiler& compiler,
                                 int major,
                                 int minor,
                                 std::string& why) {
  int compiler_major = 0;
  int compiler_minor = 0;
  compiler.version(&compiler_major, &compiler_minor);
  const std::string architecture = fmt::format("sm_{}{}", major, minor);
  const std::string key = fmt::format("{} {}.{}", architecture, compiler_major, compiler_minor);
  const std::string folder = kernel_cache_folder();
  fs::path path;
  if (!folder.empty()) {
    path = fs::path(folder) / fmt::format("kernels-{:016x}.cubin", hash_of_source(key));
    std::vector<char> code = read_cached(path);
    if (!code.empty()) return code;
  }
  std::vector<char> code = compiled(compiler, architecture, why);
  if (!code.empty() && !path.empty()) write_cached(path, code);
  return code;
}

}  // namespace quantiplan
