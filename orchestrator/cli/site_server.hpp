#pragma once
#include <string>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/serve/http_server.hpp"
#include "reports/site/history.hpp"

namespace shakedown {

/// The page of a history: the shipped template, filled. `beyond`: what did not fit, as a sentence; empty: all
/// did.
struct RenderedSite {
  std::string page;
  std::string beyond;
};
Result<RenderedSite> rendered_site(const SiteHistory& history);

/// Serves the history of a workspace until a signal ends it, as `served` does: the page (read again when the
/// store has changed), the progress of running campaigns as a `shakedown.live/1`, and the reports of
/// campaigns. It writes nothing.
Result<int> served_site(const Workspace& workspace, HttpServer server, const std::string& system,
                        double since_s);

}  // namespace shakedown
