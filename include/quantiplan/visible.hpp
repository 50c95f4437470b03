// Text that somebody else wrote, made fit to be shown: names, labels, file names, arguments.
//
// A terminal obeys control characters; marks of direction reorder what stands beside them; what has
// no glyph of its own makes two names look alike. None of these is ever shown as it is:
//
//     control characters of ASCII, bytes that are no UTF-8        \x1b  \xff
//     other characters without a glyph, by their code point       \u{9b}  \u{202e}  \u{200b}
//
// Needs nothing of the text: it may hold NUL bytes, escape sequences, broken UTF-8 or a million
// characters. Gives one line of valid UTF-8. Whatever prints for people goes through visible():
// tables, sentences, errors, notices, progress. Data (JSON, written models and policies) keeps the
// exact text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quantiplan {

// The text, with what cannot be seen spelt out, shortened to `most` characters and an ellipsis.
std::string visible(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace quantiplan
