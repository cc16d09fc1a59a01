// Limits that Slurm's accounting holds.
//
// Source: sacctmgr(1) of Slurm 22.05 and 25.05; "Resource Limits", slurm.schedmd.com/resource_limits.html.
#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/schedulers/slurm_limits.hpp"

namespace shakedown {
namespace {

constexpr std::string_view qos_fields =
    "Name,Flags,MaxWall,MaxTRES,MaxTRESPerUser,GrpTRES,MaxJobsPerUser,MaxSubmitJobsPerUser,GrpSubmitJobs";
constexpr std::string_view association_fields =
    "Account,Partition,DefaultQOS,QOS,MaxWall,MaxTRES,GrpTRES,MaxJobs,MaxSubmitJobs,GrpSubmitJobs";

std::optional<int> count_of(std::string_view text) {
  const auto value = parsed_integer(text);
  constexpr std::int64_t most = 1'000'000'000;
  if (!value || *value < 0 || *value > most) return std::nullopt;
  return static_cast<int>(*value);
}

/// The nodes of a TRES list, "cpu=512,node=4".
std::optional<int> nodes_of(std::string_view tres) {
  for (const std::string_view each : split(tres, ','))
    if (each.starts_with("node=")) return count_of(each.substr(each.find('=') + 1));
  return std::nullopt;
}

/// The smaller of two limits that may be absent.
std::optional<int> stricter(std::optional<int> one, std::optional<int> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string_view name : split(list, ','))
    if (!name.empty()) names.emplace_back(name);
  return names;
}

/// The rows of so many fields.
std::vector<std::vector<std::string_view>> rows_of(std::string_view text, std::string_view fields) {
  std::vector<std::vector<std::string_view>> rows;
  for (const std::string_view line : split(text, '\n'))
    if (auto row = split(line, '|'); row.size() == split(fields, ',').size() && !row.front().empty())
      rows.push_back(std::move(row));
  return rows;
}

}  // namespace

bool SlurmQos::has(std::string_view flag) const {
  return std::ranges::find(flags, flag) != flags.end();
}

std::vector<std::string> sacctmgr_qos_arguments() {
  return {"-nP", "show", "qos", "format=" + std::string(qos_fields)};
}

std::vector<SlurmQos> slurm_qos(std::string_view text) {
  std::vector<SlurmQos> found;
  for (const auto& row : rows_of(text, qos_fields))
    found.push_back({std::string(row[0]),
                     names_of(row[1]),
                     {.max_wall_s = slurm_seconds(row[2]),
                      .max_nodes = nodes_of(row[3]),
                      .max_nodes_per_user = nodes_of(row[4]),
                      .group_nodes = nodes_of(row[5]),
                      .max_jobs = count_of(row[6]),
                      .max_submitted = stricter(count_of(row[7]), count_of(row[8]))}});
  return found;
}

std::vector<std::string> sacctmgr_association_arguments(const std::string& user, const std::string& cluster) {
  std::vector<std::string> argv = {"-nP", "show", "assoc", "user=" + user};
  if (!cluster.empty()) argv.push_back("cluster=" + cluster);
  argv.push_back("format=" + std::string(association_fields));
  return argv;
}

std::vector<SlurmAssociation> slurm_associations(std::string_view text) {
  std::vector<SlurmAssociation> found;
  for (const auto& row : rows_of(text, association_fields))
    found.push_back({std::string(row[0]),
                     std::string(row[1]),
                     std::string(row[2]),
                     names_of(row[3]),
                     {.max_wall_s = slurm_seconds(row[4]),
                      .max_nodes = nodes_of(row[5]),
                      .max_nodes_per_user = {},
                      .group_nodes = nodes_of(row[6]),
                      .max_jobs = count_of(row[7]),
                      .max_submitted = stricter(count_of(row[8]), count_of(row[9]))}});
  return found;
}

}  // namespace shakedown
