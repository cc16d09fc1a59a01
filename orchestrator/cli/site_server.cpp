#include "orchestrator/cli/site_server.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/cli/site_history.hpp"
#include "orchestrator/cli/text/progress_text.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "reports/site/page.hpp"

namespace shakedown {
namespace {

constexpr double page_s = 5;                  // a page is read again no sooner
constexpr double progress_s = 3;              // nor the batch system asked
constexpr std::size_t newest_campaigns = 50;  // that may be running
constexpr std::size_t most_report = std::size_t{64} << 20;

HttpAnswer refusal(int status, const std::string& text) {
  return {status, "text/plain; charset=utf-8", text + "\n"};
}

/// A campaign that a process runs now, as a `shakedown.live/1` has it.
std::optional<nlohmann::ordered_json> running_campaign(const Workspace& workspace, const std::string& id,
                                                       const Layout& layout) {
  const auto folder = workspace.campaign(id);
  const Holder holder = campaign_holder(folder);
  if (holder.pid == 0) return std::nullopt;
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return std::nullopt;
  const auto cases = case_progress(case_statuses(folder, *campaign, layout), *campaign, true);
  SchedulerTraits traits;
  traits.outlives_us = !runs_here(campaign->scheduler);
  const auto nodes = static_cast<int>(node_pool(*campaign, traits).size());
  nlohmann::ordered_json entry = {{"id", id}, {"system", campaign->system}, {"kind", campaign->kind}};
  entry["began"] = utc_text(holder.since_s);
  entry["progress"] = campaign_progress_json(campaign_progress(cases, nodes));
  return entry;
}

/// When the files that the page is made of were written last, as a text.
std::string stamp_of(const Workspace& workspace) {
  std::string stamp;
  for (const char* name :
       {"results.sqlite", "results.sqlite-wal", "accepted.jsonl", "events.jsonl", "regression.jsonl"}) {
    std::error_code code;
    const auto path = workspace.folder / name;
    const auto written = std::filesystem::last_write_time(path, code);
    if (code) continue;
    stamp += fmt::format("{} {} {}; ", name, written.time_since_epoch().count(),
                         std::filesystem::file_size(path, code));
  }
  return stamp;
}

/// What the server shows, each read again when it is old.
class LiveSite {
 public:
  LiveSite(Workspace workspace, std::string system, double since_s)
      : workspace_(std::move(workspace)),
        system_(std::move(system)),
        since_s_(since_s),
        layout_(installed_layout()) {}

  HttpAnswer answer(std::string_view path) {
    if (path == "/" || path == "/index.html") return page();
    if (path == "/progress.json") return progress();
    static constexpr std::string_view before = "/campaigns/";
    static constexpr std::string_view after = "/report.html";
    if (path.starts_with(before) && path.ends_with(after) && path.size() > before.size() + after.size())
      return report(std::string(path.substr(before.size(), path.size() - before.size() - after.size())));
    return refusal(404, "not here: there are /, /progress.json and /campaigns/<id>/report.html");
  }

 private:
  HttpAnswer page() {
    const std::string stamp = stamp_of(workspace_);
    if (page_.empty() || (stamp != stamp_ && steady_s() - page_at_s_ >= page_s)) {
      auto history = gathered_history(workspace_, {system_, since_s_, workspace_.folder});
      if (!history) return refusal(503, to_string(history.error()));
      history->live = true;
      auto rendered = rendered_site(*history);
      if (!rendered) return refusal(503, to_string(rendered.error()));
      page_ = std::move(rendered->page);
      stamp_ = stamp;
      page_at_s_ = steady_s();
    }
    return {200, "text/html; charset=utf-8", page_};
  }

  HttpAnswer progress() {
    if (progress_.empty() || steady_s() - progress_at_s_ >= progress_s) {
      nlohmann::ordered_json document = {{"schema", "shakedown.live/1"}, {"at", utc_text(now_s())}};
      document["store"] = stamp_of(workspace_) == stamp_ ? "as shown" : "changed";
      document["campaigns"] = nlohmann::ordered_json::array();
      auto ids = campaign_ids(workspace_);
      if (ids.size() > newest_campaigns) ids.erase(ids.begin(), ids.end() - newest_campaigns);
      for (const std::string& id : ids)
        if (auto each = running_campaign(workspace_, id, layout_))
          if (system_.empty() || (*each)["system"] == system_)
            document["campaigns"].push_back(*std::move(each));
      progress_ = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
      progress_at_s_ = steady_s();
    }
    return {200, "application/json", progress_};
  }

  HttpAnswer report(const std::string& id) {
    if (!is_campaign_name(id)) return refusal(404, "no such campaign");
    auto text = file_content_within(workspace_.campaign(id) / "report.html", most_report);
    if (!text) return refusal(404, "this campaign has no report");
    return {200, "text/html; charset=utf-8", *std::move(text)};
  }

  Workspace workspace_;
  std::string system_;
  double since_s_;
  Layout layout_;
  std::string page_;
  std::string stamp_;
  double page_at_s_ = 0;
  std::string progress_;
  double progress_at_s_ = 0;
};

}  // namespace

Result<RenderedSite> rendered_site(const SiteHistory& history) {
  const SiteDocument document = site_document(history);
  auto page = site_page(site_template(), "the program's template of the history page", history, document);
  if (!page) return failure_of(page);
  RenderedSite rendered{*std::move(page), ""};
  if (document.node_values_from_s > 0)
    rendered.beyond =
        fmt::format("values of single nodes before {} do not fit into the page; its medians are whole",
                    utc_text(document.node_values_from_s));
  return rendered;
}

Result<int> served_site(const Workspace& workspace, HttpServer server, const std::string& system,
                        double since_s) {
  // Once now, so that an error is reported before a browser asks.
  if (auto history = gathered_history(workspace, {system, since_s, workspace.folder}); !history)
    return failure_of(history);
  LiveSite site(workspace, system, since_s);
  server.answer = [&](std::string_view path) { return site.answer(path); };
  return served(server);
}

}  // namespace shakedown
