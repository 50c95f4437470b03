// A policy of a page, and what the page has of it.
#pragma once

#include <optional>
#include <string>

#include "page/page_json.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/shared.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct ShownPolicy {
  Later<Policy> policy;
  Later<Distribution> law;
  std::optional<Value> probability;
  std::optional<Value> mean;
  std::string law_json = {};
  std::string table_json = {};
};

void write_policy(const char* key, const ShownPolicy& shown, PageJson& json);

}  // namespace quantiplan
