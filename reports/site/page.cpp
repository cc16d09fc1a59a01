#include "reports/site/page.hpp"

#include <fmt/format.h>

namespace shakedown {
namespace {

constexpr std::string_view schema_mark = R"(<meta name="shakedown-template" content="schema=1">)";
constexpr std::string_view summary_place = "<!--STATIC-->";
constexpr std::string_view data_place = "/*DATA*/";

/// Where a text is that must be there exactly once.
Result<std::size_t> only_place(std::string_view text, std::string_view wanted, std::string_view name) {
  const std::size_t at = text.find(wanted);
  if (at == std::string_view::npos || text.find(wanted, at + 1) != std::string_view::npos)
    return fail(std::string(name),
                fmt::format("has '{}' {}, and must have it once", wanted,
                            at == std::string_view::npos ? "nowhere" : "more than once"),
                "use the template that belongs to this version of shakedown");
  return at;
}

}  // namespace

Result<std::string> site_page(std::string_view page_template, std::string_view name,
                              const SiteHistory& history, const SiteDocument& document) {
  for (const std::string_view wanted : {schema_mark, summary_place, data_place})
    if (const auto at = only_place(page_template, wanted, name); !at) return failure_of(at);
  const std::size_t summary_at = page_template.find(summary_place);
  const std::size_t data_at = page_template.find(data_place);
  if (summary_at > data_at)
    return fail(std::string(name), "has its data before its summary",
                "use the template that belongs to this version of shakedown");
  std::string page(page_template.substr(0, summary_at));
  page += site_summary(history);
  page +=
      page_template.substr(summary_at + summary_place.size(), data_at - summary_at - summary_place.size());
  page += document.json;
  page += page_template.substr(data_at + data_place.size());
  return page;
}

}  // namespace shakedown
