#include "io/umb/umb_state_names.hpp"

#include <fmt/format.h>

#include <cmath>

#include "numbers/interner.hpp"

namespace quantiplan {
namespace {

using Kind = UmbType::Kind;

const std::string kFolder = "valuations/states";

// One entity's bits: a little-endian number, of which fields are taken from the lower end.
class UmbBitReader {
 public:
  explicit UmbBitReader(std::string_view bytes) : bytes_(bytes) {}

  // At most 64 bits.
  std::uint64_t take(std::uint64_t count) {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < count; ++i, ++at_) {
      const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
      value |= static_cast<std::uint64_t>(byte >> (at_ % 8) & 1U) << i;
    }
    return value;
  }
  void skip(std::uint64_t count) { at_ += count; }

 private:
  std::string_view bytes_;
  std::uint64_t at_ = 0;
};

std::int64_t sign_extended(std::uint64_t value, std::uint32_t bits) {
  if (bits < 64 && (value >> (bits - 1) & 1U) != 0) value |= ~std::uint64_t{0} << bits;
  return static_cast<std::int64_t>(value);
}

class UmbNaming {
 public:
  UmbNaming(const UmbFiles& files, const UmbIndex& index, WorkWatch& watch)
      : files_(files), index_(index), watch_(watch) {
    std::uint64_t strings = 0;
    for (const auto& fields : index.state_classes) {
      std::uint64_t bits = 0;
      for (const UmbField& field : fields) {
        bits += field.bits();
        if (!field.name.empty() && field.type.kind == Kind::string) ++strings;
      }
      bytes_of_class_.push_back((bits + 7) / 8);
    }
    if (strings == 0) return;
    const std::string path = kFolder + "/string-mapping.bin";
    const std::uint64_t entries = files.whole(path).size() / 8;
    if (entries > 0) strings_ = umb_strings(files, kFolder, entries - 1);
  }

  std::optional<std::vector<std::string>> names() {
    const std::string path = kFolder + "/valuations.bin";
    std::string_view rest = files_.whole(path);
    const std::string classes = kFolder + "/valuation-to-class.bin";
    const bool has_classes = files_.has(classes);
    const std::string_view class_of =
        has_classes ? files_.need(classes, index_.states * sizeof(std::uint32_t))
                    : std::string_view();
    std::vector<std::string> names;
    NameInterner distinct;
    for (std::uint64_t s = 0; s < index_.states; ++s) {
      watch_.step(8);
      const std::uint32_t c = has_classes ? umb_value<std::uint32_t>(class_of, s) : 0;
      if (c >= bytes_of_class_.size())
        files_.fail(classes,
                    "entry " + std::to_string(s) + " is " + std::to_string(c) +
                        ", expected a class below " + std::to_string(bytes_of_class_.size()));
      if (rest.size() < bytes_of_class_[c])
        files_.fail(path, "breaks off at state " + std::to_string(s) + ", expected more bytes");
      std::string name = name_of_state(index_.state_classes[c], rest.substr(0, bytes_of_class_[c]));
      rest.remove_prefix(bytes_of_class_[c]);
      const std::size_t known = distinct.size();
      if (distinct.intern(name) < known) return std::nullopt;
      watch_.before_push(names);
      names.push_back(std::move(name));
    }
    if (!rest.empty())
      files_.fail(path, std::to_string(rest.size()) + " bytes are left over, expected none");
    return names;
  }

 private:
  std::string name_of_state(const std::vector<UmbField>& fields, std::string_view bytes) const {
    UmbBitReader bits(bytes);
    std::string name;
    for (const UmbField& field : fields) {
      if (field.name.empty()) {
        bits.skip(field.bits());
        continue;
      }
      if (field.is_optional && bits.take(1) == 0) {
        bits.skip(field.type.bits);
        continue;
      }
      name += name.empty() ? "(" : ",";
      name += field.name + "=" + value_text(field, bits);
    }
    return name.empty() ? "()" : name + ")";
  }

  std::string value_text(const UmbField& field, UmbBitReader& bits) const {
    if (field.type.kind == Kind::rational) {
      bits.skip(field.type.bits);
      return "?";
    }
    const std::uint64_t value = bits.take(field.type.bits);
    switch (field.type.kind) {
      case Kind::boolean:
        return value != 0 ? "true" : "false";
      case Kind::integer:
      case Kind::natural: {
        const std::int64_t whole = field.type.kind == Kind::integer
                                       ? sign_extended(value, field.type.bits)
                                       : static_cast<std::int64_t>(value);
        std::int64_t shifted = 0;
        if (__builtin_add_overflow(whole, field.offset, &shifted) ||
            (field.type.kind == Kind::natural && whole < 0))
          files_.fail(kFolder + "/valuations.bin",
                      "variable '" + field.name + "' has a value beyond 64 bits");
        return std::to_string(shifted);
      }
      case Kind::real: {
        double number = 0;
        std::memcpy(&number, &value, sizeof number);
        return fmt::format("{}", number);
      }
      default:
        if (value >= strings_.size())
          files_.fail(kFolder + "/valuations.bin",
                      "variable '" + field.name + "' is text " + std::to_string(value) +
                          ", expected one below " + std::to_string(strings_.size()));
        return strings_[value];
    }
  }

  const UmbFiles& files_;
  const UmbIndex& index_;
  WorkWatch& watch_;
  std::vector<std::uint64_t> bytes_of_class_;
  std::vector<std::string> strings_;
};

}  // namespace

std::optional<std::vector<std::string>> umb_state_names(const UmbFiles& files,
                                                        const UmbIndex& index,
                                                        WorkWatch& watch) {
  if (index.state_classes.empty()) return std::nullopt;
  return UmbNaming(files, index, watch).names();
}

}  // namespace quantiplan
