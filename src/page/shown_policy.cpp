#include "page/shown_policy.hpp"

namespace quantiplan {

void write_policy(const char* key, const ShownPolicy& shown, PageJson& json) {
  if (!shown.policy) return;
  json.key(key).begin_object().key("probability").optional_value(shown.probability);
  json.key("mean").optional_value(shown.mean);
  if (!shown.law_json.empty()) json.key("law").raw(shown.law_json);
  if (!shown.table_json.empty()) json.key("table").raw(shown.table_json);
  json.end_object();
}

}  // namespace quantiplan
