#include "model/choice_names.hpp"

#include <algorithm>

#include "base/whole_text.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kFew = 16;  // so many names are searched one by one

// The base and k of a name base#k with k >= 2; k is 0 if the name is none.
struct NumberedName {
  std::string_view base;
  std::size_t k = 0;
};

NumberedName taken_apart(std::string_view name) {
  const std::size_t mark = name.rfind('#');
  if (mark == std::string_view::npos) return {};
  const std::string_view digits = name.substr(mark + 1);
  const auto k = number_in<std::size_t>(digits);
  const bool is_plain = k && digits[0] != '0' && *k >= 2;
  return is_plain ? NumberedName{name.substr(0, mark), *k} : NumberedName{};
}

bool is_unlabelled(std::string_view name) { return name == kUnlabelled || name.starts_with("[] "); }

}  // namespace

void ChoiceNames::start_state() {
  count_ = 0;
  many_.clear();
  next_.clear();
}

bool ChoiceNames::is_used(const std::string& text) const {
  if (!many_.empty()) return many_.contains(text);
  const auto end = used_.begin() + static_cast<std::ptrdiff_t>(count_);
  return std::find(used_.begin(), end, text) != end;
}

void ChoiceNames::use(std::string text) {
  if (!many_.empty() || count_ == kFew) {
    if (many_.empty()) many_.insert(used_.begin(), used_.begin() + kFew);
    many_.insert(text);
  }
  // Beyond a few, only the last name is kept here, behind them.
  const std::size_t at = std::min(count_, kFew);
  if (at == used_.size()) used_.emplace_back();
  used_[at] = std::move(text);
  count_ = at + 1;
}

std::string_view ChoiceNames::name(std::string_view base) {
  std::string text(base);
  if (is_used(text)) {
    std::size_t k = 2;
    std::size_t* const next = many_.empty() ? nullptr : &next_.try_emplace(text, 2).first->second;
    if (next != nullptr) k = *next;
    text += '#';
    const std::size_t stem = text.size();
    for (;; ++k) {
      text.resize(stem);
      text += std::to_string(k);
      if (!is_used(text)) break;
    }
    if (next != nullptr) *next = k + 1;
  }
  use(std::move(text));
  return used_[count_ - 1];
}

std::vector<std::string> labels_of(const Model& model, State s) {
  std::vector<std::string> labels;
  labels.reserve(model.choice_count(s));
  std::unordered_set<std::string_view> used;
  std::unordered_map<std::string_view, std::size_t> next;  // by base: the least k that is free
  for (const Choice c : model.choices(s)) {
    const std::string_view name = model.action_name(c);
    const auto [base, k] = taken_apart(name);
    std::string_view label = name;
    if (k != 0 && used.contains(base)) {
      std::size_t& least = next.try_emplace(base, 2).first->second;
      while (used.contains(std::string(base) + '#' + std::to_string(least))) ++least;
      if (least == k) label = base;
    }
    used.insert(name);
    labels.emplace_back(is_unlabelled(label) ? std::string_view() : label);
  }
  return labels;
}

}  // namespace quantiplan
