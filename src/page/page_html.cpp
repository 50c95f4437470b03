#include "page/page_json.hpp"
#include "page/page_template.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/page.hpp"

namespace quantiplan {

bool has_page() noexcept { return !page_template().empty(); }

std::string page_html(const PageData& data) {
  if (!has_page()) {
    throw Error(
        ErrorCode::refused,
        "report",
        "this program was built without the page, which node makes: install nodejs and npm, "
        "run scripts/web.sh, and build it again");
  }
  std::string page;
  for (const std::string_view part : page_template()) page += part;
  const std::size_t mark = page.find(kPageDataMark);
  if (mark == std::string::npos)
    throw Error(ErrorCode::refused, "report", "the page has no place for data: run scripts/web.sh");
  return page.replace(mark, kPageDataMark.size(), inert_json(data.json));
}

}  // namespace quantiplan
