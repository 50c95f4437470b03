// Formats that are not read, told apart so that they can be named.
#pragma once

#include <string>
#include <string_view>

namespace quantiplan {

// By the first bytes: archives, arrays, spreadsheets and others that are no text. Throws Error(io).
void refuse_other_format(std::string_view beginning, const std::string& path);

// Texts, by what they say and by the ending of their name: YAML, XML and others. What looks like JSON
// is taken for it. Throws Error(io), of `source`.
void refuse_other_ending(const std::string& path, std::string_view text, const std::string& source);

}  // namespace quantiplan
