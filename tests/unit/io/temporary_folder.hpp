// A folder of a test's own, removed afterwards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "quantiplan/formats.hpp"

namespace quantiplan {

class TemporaryFolder : public ::testing::Test {
 public:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "quantiplan-files-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  void write(const std::string& name, std::string_view text) const { write_text(path(name), text); }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace quantiplan
