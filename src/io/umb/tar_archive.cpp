#include "io/umb/tar_archive.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kTarBlock = 512;

std::string_view field(std::string_view header, std::size_t at, std::size_t length) {
  const std::string_view whole = header.substr(at, length);
  return whole.substr(0, std::min(whole.find('\0'), whole.size()));
}

// Octal digits, with blanks around.
std::optional<std::uint64_t> octal(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '7' || value > (std::uint64_t{1} << 60U)) return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

std::uint64_t checksum(std::string_view header) {
  constexpr std::size_t kAt = 148;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    const bool is_own = i >= kAt && i < kAt + 8;
    sum += is_own ? std::uint64_t{' '} : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

bool is_empty_block(std::string_view block) {
  return block.find_first_not_of('\0') == std::string_view::npos;
}

// Why a path is none that may stand here, or nothing.
const char* wrong_path(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.front() == '/') return "is absolute";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part == "..") return "climbs out of the archive";
    if (part.empty()) return "has an empty part";
    begin = end + 1;
  }
  const bool is_plain = std::ranges::all_of(path, [](char c) {
    return static_cast<unsigned char>(c) > ' ' && static_cast<unsigned char>(c) < 0x7F && c != '\\';
  });
  return is_plain ? nullptr : "has other characters than letters, digits, '-', '_', '.' and '/'";
}

const char* name_of_type(char type) {
  switch (type) {
    case '1':
    case '2':
      return "a link";
    case '3':
    case '4':
    case '6':
      return "a device";
    case 'S':
      return "a sparse file";
    case 'L':
    case 'K':
      return "a long name";
    default:
      return "an entry of unknown type";
  }
}

class TarReading {
 public:
  TarReading(std::string_view bytes,
             const std::string& source,
             std::map<std::string, std::string_view, std::less<>>& files)
      : rest_(bytes), source_(source), files_(files) {}

  void read() {
    std::size_t entries = 0;
    while (rest_.size() >= kTarBlock && !is_empty_block(rest_.substr(0, kTarBlock))) {
      if (++entries > TarArchive::kMostEntries)
        fail("has more than " + std::to_string(TarArchive::kMostEntries) + " entries");
      entry(rest_.substr(0, kTarBlock));
    }
    // What is cut off in the middle of its last block was meant to have another entry.
    if (rest_.size() < kTarBlock && !is_empty_block(rest_)) fail("breaks off in a header");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::bad_model, source_, "the archive " + what);
  }

  void entry(std::string_view header) {
    if (field(header, 257, 5) != "ustar") fail("has a header without 'ustar', is no tar archive");
    if (octal(field(header, 148, 8)) != checksum(header))
      fail("has a header with a wrong checksum");
    const std::string path = path_of(header);
    const auto size = octal(field(header, 124, 12));
    const std::string shown = "entry " + in_quotes(path) + " ";
    if (!size) fail(shown + "has a size that is no octal number");
    rest_.remove_prefix(kTarBlock);
    const std::uint64_t padded = (*size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (*size > rest_.size())
      fail(shown + "says " + std::to_string(*size) + " bytes, but " + std::to_string(rest_.size()) +
           " are left");
    const std::string_view content = rest_.substr(0, *size);
    rest_.remove_prefix(std::min<std::uint64_t>(padded, rest_.size()));
    const char type = header[156];
    if (type == 'x' || type == 'g') return check_extended(content, shown);
    if (type != '0' && type != '\0' && type != '5')
      fail(shown + "is " + name_of_type(type) + ", expected files only");
    const std::string_view checked = type == '5' && path.ends_with('/')
                                         ? std::string_view(path).substr(0, path.size() - 1)
                                         : std::string_view(path);
    if (const char* wrong = wrong_path(checked))
      fail("has a path " + in_quotes(path) + " that " + wrong);
    if (type == '5') return;
    if (!files_.emplace(checked, content).second) fail(shown + "is there twice, expected once");
  }

  static std::string path_of(std::string_view header) {
    const std::string_view prefix = field(header, 345, 155);
    std::string_view name = field(header, 0, 100);
    if (!prefix.empty()) return std::string(prefix) + "/" + std::string(name);
    while (name.starts_with("./") && name.size() > 2) name.remove_prefix(2);
    return std::string(name);
  }

  // "30 mtime=1700000000.5\n": times and owners say nothing here, another path or size would.
  void check_extended(std::string_view content, const std::string& shown) const {
    for (const std::string_view key : {"path=", "size=", "linkpath=", "GNU.sparse"}) {
      if (content.find(key) != std::string_view::npos)
        fail(shown + "has an extended header with '" + std::string(key) +
             "', expected plain headers");
    }
  }

  std::string_view rest_;
  const std::string& source_;
  std::map<std::string, std::string_view, std::less<>>& files_;
};

void put(std::string& header, std::size_t at, std::string_view text) {
  std::ranges::copy(text, header.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string octal_text(std::uint64_t value, std::size_t digits) {
  std::string out(digits, '0');
  for (std::size_t i = digits; i-- > 0; value /= 8) out[i] = static_cast<char>('0' + value % 8);
  return out;
}

}  // namespace

TarArchive::TarArchive(std::string_view bytes, const std::string& source) {
  TarReading(bytes, source, files_).read();
}

const std::string_view* TarArchive::find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

bool is_tar(std::string_view bytes) {
  return bytes.size() >= kTarBlock && bytes.substr(257, 5) == "ustar";
}

void TarWriter::add(std::string_view path, std::string_view content) {
  constexpr std::uint64_t kMostSize = std::uint64_t{1} << 33U;  // eleven octal digits
  std::size_t cut = 0;
  if (path.size() > 100) {
    cut = path.find('/', path.size() - 101);
    if (cut == std::string_view::npos || cut > 155)
      throw Error(ErrorCode::refused, "", "the path " + in_quotes(path) + " is too long for a tar");
  }
  if (content.size() >= kMostSize)
    throw Error(ErrorCode::refused, "", in_quotes(path) + " has 8 GiB or more, too much for a tar");
  std::string header(kTarBlock, '\0');
  put(header, 0, path.substr(cut == 0 ? 0 : cut + 1));
  if (cut > 0) put(header, 345, path.substr(0, cut));
  put(header, 100, "0000644");
  put(header, 108, "0000000");
  put(header, 116, "0000000");
  put(header, 124, octal_text(content.size(), 11));
  put(header, 136, octal_text(0, 11));
  header[156] = '0';
  put(header, 257, "ustar");
  put(header, 263, "00");
  put(header, 148, octal_text(checksum(header), 6));
  header[155] = ' ';
  bytes_ += header;
  bytes_ += content;
  bytes_.resize((bytes_.size() + kTarBlock - 1) / kTarBlock * kTarBlock, '\0');
}

std::string TarWriter::take() {
  bytes_.resize(bytes_.size() + 2 * kTarBlock, '\0');
  return std::move(bytes_);
}

}  // namespace quantiplan
