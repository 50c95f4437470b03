// Which of a model's reward structures is read: by name, by position, or the first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace quantiplan {

// Its position in `names`, some of which may be empty; nullopt if there are none, with a notice.
// A notice tells of others that are not read (`keeps_all`: there are none). Throws Error(bad_request) at "--reward" if `wanted`
// (a name, or else a position from 1) is none of them.
std::optional<std::size_t> choose_reward(const std::vector<std::string>& names,
                                         const std::optional<std::string>& wanted,
                                         const std::string& source,
                                         std::vector<std::string>& notices,
                                         bool keeps_all = false);

}  // namespace quantiplan
