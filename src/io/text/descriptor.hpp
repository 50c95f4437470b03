// A file descriptor that is closed whatever happens.
#pragma once

#include <unistd.h>

#include <utility>

namespace quantiplan {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool is_open() const { return value_ >= 0; }
  // Some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

}  // namespace quantiplan
