#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/site_history.hpp"
#include "orchestrator/cli/site_server.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown::command {
namespace {

constexpr int default_port = 8177;

struct SiteOptions {
  std::string output;
  std::string since;
  std::string system;
  bool serve = false;
  int port = default_port;
  std::string listen = "127.0.0.1";
  std::string token_file;
};

Result<double> since_s(const std::string& text) {
  if (text.empty()) return 0.0;
  const auto at = utc_seconds(text.find('T') == std::string::npos ? text + "T00:00:00" : text);
  if (!at) return fail("--since", fmt::format("'{}' is no date", text), "write it as 2026-01-31, UTC");
  return *at;
}

/// The secret of the file that only its owner can read.
Result<std::string> token_of(const std::string& file) {
  static constexpr std::size_t least = 16;
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const auto text = file_content_within(file, 4096);
  if (!text) return failure_of(text);
  std::error_code code;
  using std::filesystem::perms;
  if ((std::filesystem::status(file, code).permissions() & (perms::group_all | perms::others_all)) !=
      perms::none)
    return fail(file, "others can read the token", "chmod 600 " + shell_quoted(file));
  std::string token(trimmed(*text));
  const bool plain =
      std::ranges::all_of(token, [](char c) { return letters.find(c) != std::string_view::npos; });
  if (token.size() < least || !plain)
    return fail(file, fmt::format("is no token: at least {} letters, digits, '-' or '_' on one line", least),
                fmt::format("head -c 24 /dev/urandom | base64 | tr +/ -_ >{}", shell_quoted(file)));
  return token;
}

Result<int> serve(const SiteOptions& options, const Workspace& workspace, double since,
                  const CommonOptions& common) {
  if (!options.output.empty())
    return fail("--output", "writes a file, and --serve writes none", "leave one of the two out");
  HttpServer server;
  server.address = options.listen;
  server.port = static_cast<std::uint16_t>(options.port);
  const auto loopback = is_loopback(options.listen);
  if (!loopback) return failure_of(loopback);
  if (!options.token_file.empty()) {
    auto token = token_of(options.token_file);
    if (!token) return failure_of(token);
    server.token = *std::move(token);
  }
  if (!*loopback && server.token.empty())
    return fail("--listen",
                fmt::format("{} can be reached by others, and nothing keeps them out", options.listen),
                "add --token FILE with a secret, or use an SSH tunnel to 127.0.0.1");
  server.listening = [&](std::uint16_t port) {
    const std::string host =
        options.listen.find(':') == std::string::npos ? options.listen : "[" + options.listen + "]";
    std::cout << fmt::format(
        "serving  http://{}:{}/{}\n", host, port,
        server.token.empty() ? "" : "?token=...  (the token of " + options.token_file + ")");
    std::cout.flush();
    if (!*loopback && !common.quiet)
      std::cerr << "note: it is not encrypted: others on the network can read along\n";
    if (!common.quiet) std::cerr << "Ctrl-C ends it\n";
  };
  const auto ended = served_site(workspace, std::move(server), options.system, since);
  if (!ended) return failure_of(ended);
  return 0;
}

Result<int> write_site(const SiteOptions& options, const Workspace& workspace, double since,
                       const CommonOptions& common) {
  const std::filesystem::path file =
      options.output.empty() ? workspace.folder / "site.html" : std::filesystem::path(options.output);
  const auto history =
      gathered_history(workspace, {options.system, since, std::filesystem::absolute(file).parent_path()});
  if (!history) return failure_of(history);
  const auto rendered = rendered_site(*history);
  if (!rendered) return failure_of(rendered);
  if (auto written = write_named_file(file, rendered->page); !written) return failure_of(written);
  std::size_t campaigns = 0;
  for (const SiteSystem& system : history->systems) campaigns += system.campaigns.size();
  if (common.json) {
    nlohmann::ordered_json document = {{"schema", "shakedown.site-file/1"},
                                       {"file", file.string()},
                                       {"bytes", rendered->page.size()},
                                       {"systems", history->systems.size()},
                                       {"campaigns", campaigns},
                                       {"campaigns_left_out", history->left_out}};
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::cout << fmt::format("wrote    {}  {}, {}, {}\n", file.string(),
                           bytes_text(static_cast<std::int64_t>(rendered->page.size())),
                           plural(static_cast<std::int64_t>(history->systems.size()), "system"),
                           plural(static_cast<std::int64_t>(campaigns), "campaign"));
  if (!common.quiet && history->left_out > 0)
    std::cerr << fmt::format("note: {} before {} left out\n",
                             plural(static_cast<std::int64_t>(history->left_out), "campaign"),
                             utc_text(since).substr(0, 10));
  if (!common.quiet && !rendered->beyond.empty()) std::cerr << "note: " << rendered->beyond << "\n";
  return 0;
}

Result<int> show_site(const SiteOptions& options, const CommonOptions& common) {
  const auto since = since_s(options.since);
  if (!since) return failure_of(since);
  if (!options.serve &&
      (options.port != default_port || options.listen != "127.0.0.1" || !options.token_file.empty()))
    return fail("--port, --listen, --token", "are of --serve", "add --serve, or leave them out");
  const Workspace workspace{common.workspace};
  std::error_code code;
  if (!std::filesystem::exists(workspace.database(), code))
    return fail(workspace.folder.string(), "no campaign here: there is no results.sqlite",
                "`shakedown quick` makes a campaign; `shakedown import` makes the store again; -w names "
                "another workspace");
  return options.serve ? serve(options, workspace, *since, common)
                       : write_site(options, workspace, *since, common);
}

}  // namespace

extern const Command site;
const Command site = {
    .id = "site",
    .about = "the history of all systems as one page: verdicts, trends, nodes, comparisons",
    .rank = 86,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<SiteOptions>();
      app.add_option("-o,--output", options->output, "file to write (default: site.html in the workspace)")
          ->type_name("FILE");
      app.add_option("--since", options->since, "only campaigns from this day on, UTC: 2026-01-31")
          ->type_name("DATE");
      app.add_option("--system", options->system, "only this system")->type_name("NAME");
      app.add_flag("--serve", options->serve,
                   "show it to a browser on this machine, with live progress, until Ctrl-C");
      app.add_option("--port", options->port,
                     fmt::format("port to serve at; 0: any that is free (default: {})", default_port))
          ->type_name("N")
          ->check(CLI::Range(0, 65'535).description(""));
      app.add_option("--listen", options->listen,
                     "numeric address to serve at; others than loopback need --token (default: 127.0.0.1)")
          ->type_name("ADDRESS");
      app.add_option("--token", options->token_file, "file with the secret that a browser must show")
          ->type_name("FILE");
      app.footer(
          "Example: shakedown site -o site.html\n`shakedown site --serve` shows it with the progress of "
          "running campaigns.");
      return [options, &common] { return show_site(*options, common); };
    },
};

}  // namespace shakedown::command
