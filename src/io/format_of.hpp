// Which format a file has: by the ending of its name, else by how its text begins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quantiplan/formats.hpp"

namespace quantiplan {

// Without regard to case; nullopt for any other ending.
std::optional<Format> format_of_ending(const std::string& path);
Format format_of_text(std::string_view text);

}  // namespace quantiplan
