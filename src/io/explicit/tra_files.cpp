// The files of a model in PRISM's explicit form, found beside the .tra and written there.
#include "io/explicit/tra_files.hpp"

#include <filesystem>

#include "io/text/unpacked.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

// Packed or not.
bool exists(const std::string& plain) {
  const std::string path = plain_or_packed(plain);
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

std::optional<NamedText> text_of(const std::string& plain, WorkWatch& watch) {
  if (!exists(plain)) return std::nullopt;
  const std::string path = plain_or_packed(plain);
  return NamedText{path, read_text(path, watch)};
}

void remove_stale(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

// The first of several reward structures, as PRISM writes them. A number that is part of another
// model's name is none: m1.srew beside m1.tra.
bool has_numbered_rewards(const std::string& base, std::size_t i) {
  const std::string numbered = base + std::to_string(i);
  return (exists(numbered + ".srew") || exists(numbered + ".trew")) && !exists(numbered + ".tra");
}

}  // namespace

std::string base_of_tra(const std::string& path) {
  const std::size_t folder = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  const bool has_ending =
      dot != std::string::npos && dot > 0 && (folder == std::string::npos || dot > folder + 1);
  return has_ending ? path.substr(0, dot) : path;
}

TraCompanions companions_of(const std::string& path, WorkWatch& watch) {
  const std::string base = base_of_tra(path);
  TraCompanions beside;
  beside.labels = text_of(base + ".lab", watch);
  beside.states = text_of(base + ".sta", watch);
  if (exists(base + ".srew") || exists(base + ".trew")) {
    beside.rewards.push_back({text_of(base + ".srew", watch), text_of(base + ".trew", watch)});
    return beside;
  }
  for (std::size_t i = 1; has_numbered_rewards(base, i); ++i) {
    const std::string numbered = base + std::to_string(i);
    beside.rewards.push_back(
        {text_of(numbered + ".srew", watch), text_of(numbered + ".trew", watch)});
  }
  return beside;
}

std::vector<std::string> companion_paths(const std::string& path) {
  const std::string base = base_of_tra(path);
  std::vector<std::string> paths;
  for (const char* ending : {".lab", ".sta", ".srew", ".trew"})
    paths.push_back(plain_or_packed(base + ending));
  if (exists(base + ".srew") || exists(base + ".trew")) return paths;
  for (std::size_t i = 1; has_numbered_rewards(base, i); ++i) {
    for (const char* ending : {".srew", ".trew"})
      paths.push_back(plain_or_packed(base + std::to_string(i) + ending));
  }
  return paths;
}

namespace {

// Files of reward structures from this number on, up to the first that is missing.
void remove_numbered(const std::string& base, std::size_t from) {
  for (std::size_t i = from; has_numbered_rewards(base, i); ++i) {
    remove_stale(base + std::to_string(i) + ".srew");
    remove_stale(base + std::to_string(i) + ".trew");
  }
}

// What an earlier model of this name had would be read with this one.
void write_rewards(const std::string& base,
                   const std::vector<std::string>& rewards,
                   const std::string& no_rewards) {
  remove_stale(base + ".srew");
  if (rewards.size() < 2) {
    // One file of rewards hides those with numbers.
    if (rewards.empty() && !has_numbered_rewards(base, 1)) {
      remove_stale(base + ".trew");
    } else {
      write_text(base + ".trew", rewards.empty() ? no_rewards : rewards[0]);
    }
    return;
  }
  for (std::size_t i = 1; i <= rewards.size(); ++i) {
    const std::string numbered = base + std::to_string(i);
    if (exists(numbered + ".tra"))
      throw Error(ErrorCode::refused,
                  numbered + ".trew",
                  "would hold reward structure " + std::to_string(i) + ", but belongs to " +
                      numbered + ".tra; give another name");
  }
  remove_stale(base + ".trew");
  for (std::size_t i = 1; i <= rewards.size(); ++i) {
    remove_stale(base + std::to_string(i) + ".srew");
    write_text(base + std::to_string(i) + ".trew", rewards[i - 1]);
  }
  remove_numbered(base, rewards.size() + 1);
}

}  // namespace

void write_tra_model(const Model& model,
                     const std::string& path,
                     std::vector<std::string>& lost,
                     WorkWatch* watch,
                     TraStyle style) {
  const TraTexts texts = format_tra_model(model, lost, watch, style);
  const std::string base = base_of_tra(path);
  write_text(base + ".lab", texts.labels);
  write_rewards(base, texts.transition_rewards, texts.no_rewards);
  if (texts.states) {
    write_text(base + ".sta", *texts.states);
  } else {
    remove_stale(base + ".sta");
  }
  write_text(path, texts.transitions);
}

}  // namespace quantiplan
