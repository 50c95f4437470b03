// Kernels are compiled once, and again where what was kept is not what was written.
#include "device/device_program.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace quantiplan {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCode = "code of the kernels\nwith a second line";
int compilations = 0;
int compiler_minor = 0;
bool compiler_fails = false;
std::string options_seen;

// A compiler that makes the same code of everything.
CudaCompiler fake_compiler() {
  CudaCompiler c{};
  c.version = [](int* major, int* minor) {
    *major = 13;
    *minor = compiler_minor;
    return 0;
  };
  c.error_text = [](int) { return "no"; };
  c.create = [](void**, const char*, const char*, int, const char* const*, const char* const*) {
    return 0;
  };
  c.destroy = [](void**) { return 0; };
  c.compile = [](void*, int count, const char* const* options) {
    ++compilations;
    options_seen.clear();
    for (int i = 0; i < count; ++i) options_seen += std::string(options[i]) + " ";
    return compiler_fails ? 6 : 0;
  };
  c.log_size = [](void*, std::size_t* size) {
    *size = 12;
    return 0;
  };
  c.log = [](void*, char* text) {
    std::memcpy(text, "line 7: bad", 12);
    return 0;
  };
  c.code_size = [](void*, std::size_t* size) {
    *size = kCode.size();
    return 0;
  };
  c.code = [](void*, char* code) {
    std::memcpy(code, kCode.data(), kCode.size());
    return 0;
  };
  return c;
}

class DeviceProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("quantiplan-kernels-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    compilations = compiler_minor = 0;
    compiler_fails = false;
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder_);
  }
  std::string made() {
    const CudaCompiler compiler = fake_compiler();
    const std::vector<char> code = device_program(compiler, 9, 0, why_);
    return {code.begin(), code.end()};
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "quantiplan"))
      files.push_back(entry.path());
    return files;
  }

  fs::path folder_;
  std::string why_;
};

TEST_F(DeviceProgram, IsCompiledOnceWithoutFusedOperations) {
  EXPECT_EQ(made(), kCode);
  EXPECT_NE(options_seen.find("--fmad=false"), std::string::npos);
  EXPECT_NE(options_seen.find("sm_90"), std::string::npos);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(kept().size(), 1U);
  compiler_minor = 1;
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 2);
  EXPECT_EQ(kept().size(), 2U);
}

TEST_F(DeviceProgram, IsCompiledAnewWhereTheFileIsTorn) {
  made();
  const fs::path file = kept().front();
  fs::resize_file(file, fs::file_size(file) - 3);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 2);
  std::ofstream(file) << "something else";
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 3);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 3);
}

TEST_F(DeviceProgram, WaitsForNoPipeAndReadsNoEndlessFile) {
  made();
  const fs::path file = kept().front();
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 2);
  EXPECT_EQ(made(), kCode);  // it was replaced
  EXPECT_EQ(compilations, 2);
  fs::remove(file);
  fs::create_symlink("/dev/zero", file);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 3);
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 5);
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(DeviceProgram, NeedsNoPlaceToBeKept) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(made(), kCode);
  EXPECT_EQ(compilations, 2);
}

TEST_F(DeviceProgram, SaysWhatTheCompilerSaid) {
  compiler_fails = true;
  EXPECT_EQ(made(), "");
  EXPECT_NE(why_.find("line 7: bad"), std::string::npos);
  EXPECT_NE(why_.find("sm_90"), std::string::npos);
}

}  // namespace
}  // namespace quantiplan
