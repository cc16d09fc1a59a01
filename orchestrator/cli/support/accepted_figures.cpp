#include "orchestrator/cli/support/accepted_figures.hpp"

#include <algorithm>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/references.hpp"

namespace shakedown {
namespace {

Result<LastAccepted> readable_figures(const Workspace& workspace, std::string_view system, double at_s,
                                      const Layout& layout) {
  auto declared = read_acceptances(workspace);
  if (!declared) return pass_on(declared);
  std::erase_if(*declared,
                [&](const AcceptedCampaign& each) { return each.system != system || each.at_s > at_s; });
  if (declared->empty())
    return LastAccepted([](const Criterion&) -> Result<std::optional<BaselineValue>> {
      return std::optional<BaselineValue>();
    });
  const AcceptedCampaign& last = declared->back();
  const auto database = Database::open_existing(workspace.database());
  if (!database) return pass_on(database);
  auto campaign = database->campaign(last.campaign);
  if (!campaign) return pass_on(campaign);
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return pass_on(text);
  auto table = read_comparability(*text, "comparability.toml");
  if (!table) return pass_on(table);
  return references_to(std::move(*campaign),
                       fmt::format("accepted by {} at {}", last.by, utc_text(last.at_s)), std::move(*table));
}

}  // namespace

LastAccepted accepted_figures(const Workspace& workspace, std::string_view system, double at_s,
                              const Layout& layout) {
  auto found = readable_figures(workspace, system, at_s, layout);
  if (found) return *std::move(found);
  return [error = std::move(found.error())](const Criterion&) -> Result<std::optional<BaselineValue>> {
    return tl::unexpected<Error>(error);
  };
}

}  // namespace shakedown
