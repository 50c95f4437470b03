// A setting that is given beside a policy file: it must be the one that the file was made for.
#pragma once

#include "arguments/arguments.hpp"

namespace quantiplan::cli {

// Throws Error(bad_request) that names the first option which says otherwise than the policy.
void require_setting_of(const Policy& policy,
                        const ReadModel& read,
                        const SettingArguments& setting,
                        bool quiet);

}  // namespace quantiplan::cli
