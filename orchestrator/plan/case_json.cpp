#include "orchestrator/plan/case_json.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_folder_name(std::string_view id) {
  const bool plain = std::ranges::all_of(
      id, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
  return plain && !id.empty() && id.front() != '.' && id.size() <= 200;
}

namespace {

void put_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json reasons_json(const std::vector<Reason>& why) {
  Json array = Json::array();
  for (const Reason& reason : why)
    array.push_back({{"what", reason.what},
                     {"value", std::visit([](const auto& held) { return Json(held); }, reason.value)},
                     {"because", reason.because},
                     {"rule", reason.rule}});
  return array;
}

Json predicted_json(const Case& planned) {
  Json object = Json::object();
  for (const Prediction& one : planned.predicted)
    object[one.metric] = {
        {"value", json_number(one.value)}, {"low", json_number(one.low)}, {"high", json_number(one.high)}};
  put_text(object, "model", planned.model.text);
  put_text(object, "source", planned.model.source);
  if (planned.model.points > 0) {
    object["parameters"] = planned.model.parameters;
    object["points"] = planned.model.points;
  }
  return object;
}

std::string read_id(JsonObject& object) {
  std::string id = object.required_text("id");
  object.call(fmt::format(" '{}'", id));
  const size_t node = id.find(host_placeholder);
  std::string folder = id;
  if (node != std::string::npos) folder.replace(node, host_placeholder.size(), "n");
  if (object.has("id") && !is_folder_name(folder)) object.reject("the id is no folder name", folder_names);
  return id;
}

void read_predicted(JsonObject object, Case& read) {
  read.model = {object.text("model"), object.text("source"), static_cast<int>(object.real("parameters")),
                static_cast<int>(object.real("points"))};
  for (const std::string& metric : object.keys()) {
    if (metric == "model" || metric == "source" || metric == "parameters" || metric == "points") continue;
    JsonObject band = object.object(metric);
    read.predicted.push_back(
        {metric, band.required_real("value"), band.required_real("low"), band.required_real("high")});
    if (auto ok = band.finished(); !ok) return;
  }
}

Json container_json(const Container& container) {
  Json json = {{"runtime", container.runtime}, {"image", container.image}};
  put_text(json, "digest", container.digest);
  if (!container.mounts.empty()) json["mounts"] = container.mounts;
  return json;
}

void read_container(JsonObject& object, Case& read) {
  if (!object.has("container")) return;
  JsonObject one = object.object("container");
  read.container = {one.required_text("runtime"), one.required_text("image"), one.text("digest"),
                    one.texts("mounts")};
  static const std::vector<std::string> known = {"apptainer", "pyxis"};
  if (std::ranges::find(known, read.container.runtime) == known.end())
    one.reject(fmt::format("'runtime' is '{}'{}", read.container.runtime,
                           did_you_mean(read.container.runtime, known)),
               fmt::format("known: {}", joined(known, ", ")));
}

/// Command lines that job.sh runs before the case: argument vectors, none of them empty.
void read_preparation(JsonObject& object, Case& read) {
  const auto lines = [&object](const char* key) {
    auto all = object.text_lists(key);
    for (const auto& line : all)
      if (line.empty() || line.front().empty())
        object.reject(fmt::format("'{}' holds an empty command line", key));
    return all;
  };
  read.preparation = lines("preparation");
  read.node_preparation = lines("node_preparation");
}

void read_why(JsonObject& object, Case& read) {
  for (JsonObject& one : object.objects("why")) {
    read.why.push_back(
        {one.required_text("what"), one.required_value("value"), one.text("because"), one.text("rule")});
    if (auto ok = one.finished(); !ok) return;
  }
}

void read_files(JsonObject object, Case& read) {
  for (const std::string& name : object.keys()) {
    if (const std::string why = wrong_input_file(name); !why.empty())
      object.reject(why, "give the file another name");
    read.files.push_back({name, object.text(name)});
  }
}

void read_environment(JsonObject& object, Case& read) {
  read.environment = object.parameters("environment");
  for (const Parameter& variable : read.environment) {
    const std::string& name = variable.name;
    const bool plain = std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
    if (name.empty() || !plain || (name.front() >= '0' && name.front() <= '9'))
      object.reject(fmt::format("environment: '{}' is no name of a variable", name),
                    "letters, digits and '_', not beginning with a digit");
  }
}

/// The places of a run made elsewhere, from its log; 0 for what it does not show.
void read_places_made_elsewhere(JsonObject& object, Case& read) {
  read.nodes = object.count("nodes", 0);
  read.ranks = object.count("ranks", 0);
  read.ranks_per_node = object.count("ranks_per_node", 0);
  read.threads_per_rank = object.count("threads_per_rank", 0);
}

/// Nodes, ranks and hosts must agree; what is not stated follows from the rest.
void read_places(JsonObject& object, Case& read) {
  read.hosts = object.name("hosts");
  int named = 0;
  if (!read.hosts.empty()) {
    const auto hosts = expanded_hostlist(read.hosts);
    if (!hosts)
      object.reject(fmt::format("hosts: {}", hosts.error().what), hosts.error().hint);
    else
      named = static_cast<int>(hosts->size());
  }
  if (is_for_each_node(read)) {
    if (named == 0)
      object.reject("the id stands for a case on each of its hosts, and it has none",
                    fmt::format("a hostlist under 'hosts', or an id without {}", host_placeholder));
    named = std::min(named, 1);
  }
  read.nodes = object.count("nodes", std::max(named, 1));
  if (is_for_each_node(read) && read.nodes != 1)
    object.reject(fmt::format("'nodes' is {}: a case on each of its hosts has one", read.nodes));
  if (named > 0 && read.nodes != named)
    object.reject(fmt::format("'nodes' is {} but 'hosts' names {}", read.nodes, named));
  read.ranks_per_node = object.count("ranks_per_node", 0);
  read.ranks = object.count("ranks", read.nodes * std::max(read.ranks_per_node, 1));
  if (read.ranks_per_node == 0) read.ranks_per_node = (read.ranks + read.nodes - 1) / read.nodes;
  if (read.ranks > std::int64_t{read.nodes} * read.ranks_per_node)
    object.reject(fmt::format("{} ranks do not fit on {} nodes with {} ranks each", read.ranks, read.nodes,
                              read.ranks_per_node));
  read.threads_per_rank = object.count("threads_per_rank", 1);
  read.cpus_per_rank = object.count("cpus_per_rank", 0);
  read.gpus_per_node = object.count("gpus_per_node", 0);
}

/// When and where the case runs among the others.
void read_placement(JsonObject& object, Case& read) {
  const std::string placement = object.text("placement");
  if (!placement.empty() && placement != "bound")
    object.reject(fmt::format("'placement' is '{}'", placement),
                  "\"bound\": it measures just its hosts; absent: others of 'among' will do");
  read.among = object.text("among");
  read.bound = placement == "bound";
  if (read.bound && read.hosts.empty()) object.reject("is bound to its hosts and has no 'hosts'");
  read.stage = object.count("stage", 0);
  read.repetition = object.count("repetition", 1);
  const std::string purpose = object.text("purpose");
  if (!purpose.empty() && purpose != "confirm")
    object.reject(fmt::format("'purpose' is '{}'", purpose),
                  "\"confirm\": it repeats what made its node suspect, and decides no criterion; left out: "
                  "it counts");
  read.confirms = purpose == "confirm";
  read.stands_for = object.text("stands_for");
}

/// Without a launcher the program is the argument vector's first word; the two spellings must agree.
void read_command(JsonObject& object, Case& read) {
  read.launcher = object.text("launcher");
  read.binding = object.text("binding");
  read.program = object.text("program");
  read.arguments = object.texts("arguments");
  read.argv = object.texts("argv");
  if (read.program.empty()) {
    if (read.argv.empty() || read.argv.front().empty())
      object.reject(fmt::format("neither 'program' nor 'argv' is given{}",
                                read.implementation.empty()
                                    ? std::string()
                                    : fmt::format(" as implementation '{}'", read.implementation)),
                    R"(give "program": "/path/to/program" or "argv": ["/path/to/program", "argument"])");
    if (!read.launcher.empty()) object.reject("a launcher needs a 'program' to start");
    if (!read.arguments.empty()) object.reject("'arguments' need a 'program'");
    return;
  }
  if (!read.launcher.empty()) return;
  std::vector<std::string> whole = {read.program};
  whole.insert(whole.end(), read.arguments.begin(), read.arguments.end());
  if (read.argv.empty()) read.argv = whole;
  if (read.argv != whole)
    object.reject("'argv' is not 'program' followed by 'arguments', and there is no launcher to add words",
                  "leave 'argv' out, or 'program' and 'arguments'");
}

}  // namespace

Json case_to_json(const Case& planned) {
  Json json = {{"id", planned.id}};
  put_text(json, "suite", planned.suite);
  put_text(json, "implementation", planned.implementation);
  put_text(json, "benchmark", planned.benchmark);
  put_text(json, "parser", planned.parser);
  put_text(json, "tested", planned.tested);
  put_text(json, "origin", planned.origin);
  const std::pair<const char*, int> places[] = {{"nodes", planned.nodes},
                                                {"ranks", planned.ranks},
                                                {"ranks_per_node", planned.ranks_per_node},
                                                {"threads_per_rank", planned.threads_per_rank}};
  for (const auto& [key, number] : places)
    if (planned.origin.empty() || number > 0) json[key] = number;
  if (planned.cpus_per_rank > 0) json["cpus_per_rank"] = planned.cpus_per_rank;
  if (planned.gpus_per_node > 0) json["gpus_per_node"] = planned.gpus_per_node;
  put_text(json, "hosts", planned.hosts);
  put_text(json, "among", planned.among);
  if (planned.bound) json["placement"] = "bound";
  if (planned.stage > 0) json["stage"] = planned.stage;
  if (planned.repetition > 1) json["repetition"] = planned.repetition;
  if (planned.confirms) json["purpose"] = "confirm";
  put_text(json, "stands_for", planned.stands_for);
  json["parameters"] = json_parameters(planned.parameters);
  json["why"] = reasons_json(planned.why);
  json["predicted"] = predicted_json(planned);
  Json files = Json::object();
  for (const TextFile& file : planned.files) files[file.name] = file.content;
  json["files"] = std::move(files);
  put_text(json, "launcher", planned.launcher);
  put_text(json, "binding", planned.binding);
  if (!planned.container.runtime.empty()) json["container"] = container_json(planned.container);
  put_text(json, "program", planned.program);
  if (!planned.arguments.empty()) json["arguments"] = planned.arguments;
  if (planned.origin.empty() || !planned.argv.empty()) json["argv"] = planned.argv;
  if (!planned.modules.empty()) json["modules"] = planned.modules;
  json["environment"] = json_parameters(planned.environment);
  if (!planned.preparation.empty()) json["preparation"] = planned.preparation;
  if (!planned.node_preparation.empty()) json["node_preparation"] = planned.node_preparation;
  put_text(json, "result_file", planned.result_file);
  if (planned.time_limit_s > 0) json["time_limit_s"] = json_number(planned.time_limit_s);
  json["warnings"] = planned.warnings;
  return json;
}

Case case_in(JsonObject& object) {
  Case read;
  read.id = read_id(object);
  read.suite = object.name("suite");
  read.implementation = object.name("implementation");
  read.benchmark = object.name("benchmark");
  read.parser = object.name("parser");
  read.tested = object.text("tested");
  static const std::vector<std::string> known = {"run-here", "run-at-site", "rendered"};
  if (!read.tested.empty() && std::ranges::find(known, read.tested) == known.end())
    object.reject(fmt::format("'tested' is '{}'{}", read.tested, did_you_mean(read.tested, known)),
                  fmt::format("known: {}", joined(known, ", ")));
  read.origin = object.text("origin");
  if (read.origin.empty()) {
    read_places(object, read);
    read_placement(object, read);
    read_command(object, read);
  } else {
    read_places_made_elsewhere(object, read);
  }
  read_container(object, read);
  read.modules = object.texts("modules");
  read_environment(object, read);
  read_preparation(object, read);
  read.parameters = object.parameters("parameters");
  read_why(object, read);
  read_predicted(object.object("predicted"), read);
  read_files(object.object("files"), read);
  read.result_file = object.text("result_file");
  if (const std::string why = read.result_file.empty() ? "" : wrong_run_file(read.result_file); !why.empty())
    object.reject(why);
  read.time_limit_s = object.real("time_limit_s");
  if (read.time_limit_s < 0) object.reject("'time_limit_s' is negative", "0 or no key: no limit");
  read.warnings = object.texts("warnings");
  return read;
}

}  // namespace shakedown
