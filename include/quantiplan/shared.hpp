// What many results have in common, held once: copies share it.
//
//     Shared<T>   a value that may be absent, as std::optional<T>; nobody changes what is shared
//     Later<T>    a T that is made when it is called, as std::function<T()>
//
// 100,000 quantiles of one model are a few levels, probabilities and policies, and each of these
// handles takes eight bytes.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace quantiplan {

// The one pointer of both: what it points to counts its handles, and goes with the last.
template <class Held>
class Handle {
 public:
  Handle() = default;
  // Takes what was just made, with a count of 1.
  explicit Handle(Held* held) noexcept : held_(held) {}
  Handle(const Handle& other) noexcept : held_(other.held_) {
    if (held_ != nullptr) held_->handles.fetch_add(1, std::memory_order_relaxed);
  }
  Handle(Handle&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Handle() {
    if (held_ != nullptr && held_->handles.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete held_;
  }
  [[nodiscard]] Held* get() const noexcept { return held_; }

 private:
  Held* held_ = nullptr;
};

template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Shared>)
      Shared(U&& value)  // NOLINT(google-explicit-constructor)
      : held_(new Held{T(std::forward<U>(value))}) {}
  Shared(std::optional<T> value)  // NOLINT(google-explicit-constructor)
      : held_(value ? new Held{*std::move(value)} : nullptr) {}

  [[nodiscard]] bool has_value() const noexcept { return held_.get() != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  // Need a value.
  const T& operator*() const noexcept { return held_.get()->value; }
  const T* operator->() const noexcept { return &held_.get()->value; }
  [[nodiscard]] const T& value() const {
    if (!has_value()) throw std::bad_optional_access();
    return **this;
  }
  [[nodiscard]] T value_or(T other) const { return has_value() ? **this : std::move(other); }
  operator std::optional<T>() const {  // NOLINT(google-explicit-constructor)
    return has_value() ? std::optional<T>(**this) : std::nullopt;
  }

  void reset() noexcept { held_ = {}; }
  // What `change` makes of a copy takes its place, for this handle alone. Needs a value.
  template <class Change>
  void change(Change&& change) {
    T changed = **this;
    std::forward<Change>(change)(changed);
    *this = std::move(changed);
  }

  // Both hold one and the same, or nothing.
  [[nodiscard]] bool is(const Shared& other) const noexcept {
    return held_.get() == other.held_.get();
  }
  friend bool operator==(const Shared& a, const Shared& b) {
    return a.is(b) || (a && b && *a == *b);
  }
  friend bool operator==(const Shared& a, std::nullopt_t) { return !a; }

 private:
  struct Held {
    T value;
    mutable std::atomic<std::uint32_t> handles{1};
  };
  Handle<const Held> held_;
};

template <class T>
class Later {
 public:
  Later() = default;
  Later(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  template <class Make>
  requires(std::is_invocable_r_v<T, std::decay_t<Make>&> &&
           !std::same_as<std::decay_t<Make>, Later>)
      Later(Make&& make)  // NOLINT(google-explicit-constructor)
      : maker_(new MakerOf<std::decay_t<Make>>(std::forward<Make>(make))) {}

  explicit operator bool() const noexcept { return maker_.get() != nullptr; }
  // Needs one.
  T operator()() const { return maker_.get()->make(); }

 private:
  struct Maker {
    mutable std::atomic<std::uint32_t> handles{1};
    Maker() = default;
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;
    virtual ~Maker() = default;
    [[nodiscard]] virtual T make() const = 0;
  };
  template <class Make>
  struct MakerOf : Maker {
    explicit MakerOf(Make given) : made_by(std::move(given)) {}
    [[nodiscard]] T make() const override { return made_by(); }
    mutable Make made_by;
  };
  Handle<const Maker> maker_;
};

}  // namespace quantiplan
