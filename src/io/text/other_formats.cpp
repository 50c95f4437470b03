#include "io/text/other_formats.hpp"

#include <array>

#include "io/text/field_lines.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

using namespace std::string_view_literals;

struct OtherFormat {
  std::string_view sign;  // first bytes, or an ending
  std::string_view name;
  std::string_view hint;  // what to do instead, if that is short
};

constexpr std::string_view kUnpack = "unpack it first, or pack it with gzip, xz or zstd";
constexpr std::string_view kAsCsv = "write it as CSV";
constexpr std::string_view kAsUtf8 = "save it as UTF-8";

constexpr std::array kBinaries{
    OtherFormat{"PK\x03\x04", "a ZIP archive, as .zip, .xlsx and .npz are", kUnpack},
    OtherFormat{"BZh", "a file packed by bzip2", kUnpack},
    OtherFormat{"7z\xbc\xaf", "a 7z archive", kUnpack},
    OtherFormat{"\x93NUMPY", "an array of NumPy", "use qp.Model.from_arrays in Python"},
    OtherFormat{"PAR1", "a Parquet file", kAsCsv},
    OtherFormat{"ARROW1", "an Arrow file", kAsCsv},
    OtherFormat{"MATLAB ", "a file of MATLAB", kAsCsv},
    OtherFormat{"\xff\xfe", "text in UTF-16", kAsUtf8},
    OtherFormat{"\xfe\xff", "text in UTF-16", kAsUtf8},
    OtherFormat{"\x04\x22\x4d\x18", "a file packed by lz4", kUnpack},
    OtherFormat{"\x89HDF", "an HDF5 file", kAsCsv},
    OtherFormat{"SQLite format 3", "an SQLite database", kAsCsv},
    OtherFormat{"\x80\x04", "a pickle of Python", {}},
    OtherFormat{"\x80\x05", "a pickle of Python", {}},
    OtherFormat{"%PDF", "a PDF", {}},
    OtherFormat{"\xd0\xcf\x11\xe0", "an old Excel file", kAsCsv},
};
constexpr std::array kTexts{
    OtherFormat{".pomdp", "the POMDP format", {}},
    OtherFormat{".yaml", "YAML", "write it as JSON"},
    OtherFormat{".yml", "YAML", "write it as JSON"},
    OtherFormat{".toml", "TOML", "write it as JSON"},
    OtherFormat{".xml", "XML", "write it as JSON"},
    OtherFormat{".modest", "the Modest language", {}},
    OtherFormat{".gspn", "a Petri net", {}},
    OtherFormat{".pnml", "a Petri net", {}},
    OtherFormat{".rddl", "RDDL", {}},
    OtherFormat{".pddl", "PDDL", {}},
    OtherFormat{".ppddl", "PPDDL", {}},
    OtherFormat{".sas", "a translated planning task", {}},
};

// Of all that are read; format_names has those that are written.
std::string endings_read() {
  std::string out;
  std::string_view last;
  for (const FormatInfo& each : model_formats()) {
    if (each.endings.empty()) continue;
    if (!last.empty()) out.append(out.empty() ? "" : ", ").append(last);
    last = each.endings.front();
  }
  return out.append(" or ").append(last);
}

[[noreturn]] void refuse_format(const OtherFormat& found, const std::string& source) {
  throw Error(ErrorCode::io,
              source,
              "found " + std::string(found.name) + ", which is not read; expected " +
                  endings_read() + (found.hint.empty() ? "" : ": " + std::string(found.hint)));
}

}  // namespace

void refuse_other_format(std::string_view beginning, const std::string& path) {
  for (const OtherFormat& each : kBinaries) {
    if (beginning.starts_with(each.sign)) refuse_format(each, path);
  }
}

void refuse_other_ending(const std::string& path,
                         std::string_view text,
                         const std::string& source) {
  const std::string_view beginning = text.substr(0, 4096);
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string_view::npos && (beginning[first] == '{' || beginning[first] == '[');
  if (is_json) return;
  if (beginning.starts_with("<?xml")) refuse_format({".xml", "XML", "write it as JSON"}, source);
  const std::string lower = lower_case(path);
  for (const OtherFormat& each : kTexts) {
    if (lower.ends_with(each.sign)) refuse_format(each, source);
  }
}

}  // namespace quantiplan
