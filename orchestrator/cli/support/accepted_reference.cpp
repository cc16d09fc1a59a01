#include "orchestrator/cli/support/accepted_reference.hpp"

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/reference.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/references.hpp"

namespace shakedown {
namespace {

Result<LastAccepted> readable_reference(const Workspace& workspace, const std::string& system,
                                        const Layout& layout) {
  const auto any = last_acceptance(workspace, system);
  if (!any) return pass_on(any);
  if (!any->has_value()) return LastAccepted();
  const auto database = Database::open_existing(workspace.database());
  if (!database) return pass_on(database);
  auto found = last_accepted(workspace, *database, system);
  if (!found) return pass_on(found);
  std::optional<Reference>& reference = *found;
  if (!reference) return LastAccepted();
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return pass_on(text);
  auto table = read_comparability(*text, "comparability.toml");
  if (!table) return pass_on(table);
  const AcceptedCampaign& accepted = reference->acceptance;
  std::string declared = fmt::format("accepted by {} on {}", accepted.by, utc_text(accepted.at_s));
  return references_to(std::move(reference->campaign), std::move(declared), *std::move(table));
}

}  // namespace

LastAccepted accepted_reference(const Workspace& workspace, const std::string& system, const Layout& layout) {
  auto found = readable_reference(workspace, system, layout);
  if (found) return *std::move(found);
  return [error = std::move(found.error())](const Criterion&) -> Result<std::optional<BaselineValue>> {
    return tl::unexpected<Error>(error);
  };
}

}  // namespace shakedown
