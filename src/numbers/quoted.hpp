// Text from a file, made fit to be shown in a message.
//
// Needs nothing of the text: it may hold NUL bytes, escape sequences, broken UTF-8 or a million
// characters. Gives one line of valid UTF-8, at most `most` characters and an ellipsis, in quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quantiplan {

// 'text', with control characters and broken bytes as \xNN, shortened to `most` characters.
std::string quoted(std::string_view text, std::size_t most = 60);

// Bytes of the UTF-8 character `text` begins with; 0 if it begins with none (overlong forms,
// surrogates and code points above U+10FFFF are none).
std::size_t utf8_length(std::string_view text) noexcept;
bool is_utf8(std::string_view text) noexcept;

}  // namespace quantiplan
