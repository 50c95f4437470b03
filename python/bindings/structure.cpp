#include "structure.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "objects.hpp"

namespace quantiplan::python {
namespace {

class PythonStructure final : public Structure {
 public:
  PythonStructure(const Model& model, nb::object order) : model_(model), order_(std::move(order)) {}
  PythonStructure(const PythonStructure&) = delete;
  PythonStructure& operator=(const PythonStructure&) = delete;
  ~PythonStructure() override {
    if (!Py_IsInitialized()) {  // nobody is left to free them
      (void)order_.release();
      (void)ids_.release();
      for (Entry& e : entries_) {
        (void)e.wealth.release();
        (void)e.key.release();
      }
      return;
    }
    const nb::gil_scoped_acquire gil;
    entries_.clear();
    ids_.reset();
    order_.reset();
  }

  WealthId initial() override {
    const nb::gil_scoped_acquire gil;
    return intern(order_.attr("initial")());
  }
  WealthId update(WealthId wealth, NumberId reward) override {
    const std::uint64_t step =
        (std::uint64_t{index(wealth)} << 32U) | static_cast<std::uint64_t>(index(reward));
    if (const auto known = steps_.find(step); known != steps_.end()) return known->second;
    const nb::gil_scoped_acquire gil;
    const WealthId next =
        intern(order_.attr("update")(entries_[index(wealth)].wealth, reward_of(reward)));
    steps_.emplace(step, next);
    return next;
  }
  [[nodiscard]] std::weak_ordering order(WealthId a, WealthId b) const override {
    const nb::gil_scoped_acquire gil;
    const nb::object& left = entries_[index(a)].key;
    const nb::object& right = entries_[index(b)].key;
    if (left.equal(right)) return std::weak_ordering::equivalent;
    if (left < right) return std::weak_ordering::less;
    if (right < left) return std::weak_ordering::greater;
    throw Error(ErrorCode::bad_request,
                "structure",
                "the keys " + nb::cast<std::string>(nb::repr(left)) + " and " +
                    nb::cast<std::string>(nb::repr(right)) +
                    " are neither equal nor is one greater, expected an order");
  }
  [[nodiscard]] std::string text(WealthId wealth) const override {
    return entries_[index(wealth)].text;
  }
  [[nodiscard]] std::string class_text(WealthId wealth) const override {
    const nb::gil_scoped_acquire gil;
    const nb::object& key = entries_[index(wealth)].key;
    if (nb::hasattr(order_, "text"))
      return nb::cast<std::string>(nb::str(order_.attr("text")(key)));
    return nb::cast<std::string>(nb::str(key));
  }
  [[nodiscard]] std::optional<Total> number(WealthId wealth) const override {
    const nb::gil_scoped_acquire gil;
    if (!nb::hasattr(order_, "number")) return std::nullopt;
    const nb::object value = order_.attr("number")(entries_[index(wealth)].wealth);
    return Total(rational_of(nb::cast<std::string>(nb::str(value)), "structure: number"));
  }
  [[nodiscard]] std::size_t declared_classes() const override { return 0; }
  [[nodiscard]] std::size_t declared_rank(WealthId) const override { return 0; }
  [[nodiscard]] bool has_residuals() const override { return false; }
  [[nodiscard]] std::size_t size() const override { return entries_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override {
    constexpr std::uint64_t kPerWealth = 500;
    return entries_.size() * kPerWealth + steps_.size() * 48;
  }

 private:
  struct Entry {
    nb::object wealth;
    nb::object key;
    std::string text;
  };

  // As a person would write it: an int where it is one.
  nb::object reward_of(NumberId reward) const {
    const Rational number = model_.rewards().rational(reward);
    nb::object exact = reward_object(model_, number);
    const bool is_whole = model_.wealth().has_numbers() && number.get_den() == 1;
    return is_whole ? nb::object(exact.attr("numerator")) : exact;
  }
  WealthId intern(nb::object wealth) {
    if (ids_.contains(wealth)) return WealthId{nb::cast<std::uint32_t>(nb::object(ids_[wealth]))};
    const auto id = static_cast<std::uint32_t>(entries_.size());
    const nb::object key = order_.attr("key")(wealth);
    auto text = nb::cast<std::string>(nb::repr(wealth));
    const nb::object is_itself = nb::steal(PyObject_RichCompare(key.ptr(), key.ptr(), Py_EQ));
    if (!is_itself.is_valid()) throw nb::python_error();
    if (PyObject_IsTrue(is_itself.ptr()) != 1)
      throw Error(ErrorCode::bad_request,
                  "structure",
                  "key(" + text + ") is " + nb::cast<std::string>(nb::repr(key)) +
                      ", expected what equals itself and can be compared");
    ids_[wealth] = id;
    entries_.push_back({wealth, key, std::move(text)});
    return WealthId{id};
  }

  Model model_;
  nb::object order_;
  nb::dict ids_;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, WealthId> steps_;
};

}  // namespace

std::shared_ptr<Structure> structure_in_python(const Model& model, nb::object order) {
  return std::make_shared<PythonStructure>(model, std::move(order));
}

}  // namespace quantiplan::python
