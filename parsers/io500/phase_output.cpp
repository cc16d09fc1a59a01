#include "parsers/io500/phase_output.hpp"

#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {

void Io500PhaseOutput::take(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  if (text.empty()) return;
  if (!begun_) {
    begun_ = text.starts_with("IOR-") && text.find("MPI Coordinated Test of Parallel I/O") != text.npos;
    foreign_ = !begun_;
    return;
  }
  const size_t colon = text.find(':');
  if (colon == text.npos) return;
  const std::string_view key = trimmed(text.substr(0, colon));
  const std::array<std::pair<std::string_view, Stated*>, 5> keys = {{{"Command line", &command_},
                                                                     {"Machine", &host_},
                                                                     {"nodes", &nodes_},
                                                                     {"tasks", &tasks_},
                                                                     {"clients per node", &per_node_}}};
  for (const auto& [name, stated] : keys)
    if (key == name && stated->line == 0)
      *stated = {std::string(trimmed(text.substr(colon + 1))), line.number};
}

std::optional<ParsedResult> Io500PhaseOutput::part() const {
  if (!begun_ || foreign_) return std::nullopt;
  ParsedResult part;
  part.suite = "io500";
  part.part = true;
  part.reason =
      "this is the output of IOR, one phase of IO500; the run's results are in the result.txt beside it";
  const auto count = [&](const char* name, const Stated& stated) {
    if (const auto value = positive_integer(stated.text)) part.parameters.push_back({name, *value});
  };
  const auto fact = [&](const char* name, std::string value, int line) {
    if (line != 0 && !value.empty()) part.facts.push_back({name, std::move(value), line});
  };
  count("nodes", nodes_);
  count("clients_per_node", per_node_);
  fact("source", "ior", 1);
  fact("ior.command", command_.text, command_.line);
  fact("ior.tasks", tasks_.text, tasks_.line);
  const size_t space = host_.text.rfind(' ');  // "Linux osk-gpu01"
  fact("host", space == host_.text.npos ? host_.text : host_.text.substr(space + 1), host_.line);
  return part;
}

}  // namespace shakedown
