// What stands in a file: a text that was read, or an archive that is mapped into memory, so that
// hundreds of megabytes of arrays are read where they lie and are not the process's own.
//
// A mapped file is the file: whoever reads it must not trust a byte twice, for another process may
// write there. One that is cut meanwhile ends the program, as every mapped file does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace quantiplan {

class FileBytes {
 public:
  explicit FileBytes(std::string text) : text_(std::move(text)) {}
  // The first `size` bytes of an open file, which may be closed then; empty if it cannot be mapped.
  static FileBytes mapped(int descriptor, std::size_t size);
  FileBytes(FileBytes&& other) noexcept
      : text_(std::move(other.text_)),
        mapped_(std::exchange(other.mapped_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  [[nodiscard]] std::string_view view() const {
    return mapped_ == nullptr ? std::string_view(text_)
                              : std::string_view(static_cast<const char*>(mapped_), size_);
  }

 private:
  std::string text_;
  void* mapped_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace quantiplan
