// Names in messages, and the characters of UTF-8 that can be seen (visible.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "quantiplan/visible.hpp"

namespace quantiplan {

// 'text', visible.
std::string in_quotes(std::string_view text, std::size_t most = 60);

// Whether a character can be seen for what it is. Not so: the categories Cc, Cf, Zl and Zp; Zs but
// for the blank; default ignorable code points; the blank of Braille; noncharacters.
bool is_visible(char32_t character) noexcept;

// Bytes of the UTF-8 character `text` begins with; 0 if it begins with none (overlong forms,
// surrogates and code points above U+10FFFF are none).
std::size_t utf8_length(std::string_view text) noexcept;
// The character itself: the first `length` bytes, which must be one.
char32_t utf8_character(std::string_view text, std::size_t length) noexcept;
bool is_utf8(std::string_view text) noexcept;

}  // namespace quantiplan
