#include "orchestrator/schedulers/slurm_limits.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/slurm.hpp"

namespace shakedown {
namespace {

/// Source: Slurm 22.05 to 25.05, src/api/partition_info.c.
constexpr std::string_view partition_keys[] = {
    "PartitionName",
    "AllowGroups",
    "AllowAccounts",
    "DenyAccounts",
    "AllowQos",
    "DenyQos",
    "AllocNodes",
    "Alternate",
    "Default",
    "CpuBind",
    "QoS",
    "DefaultTime",
    "DisableRootJobs",
    "ExclusiveUser",
    "ExclusiveTopo",
    "GraceTime",
    "Hidden",
    "MaxNodes",
    "MaxTime",
    "MinNodes",
    "LLN",
    "MaxCPUsPerNode",
    "MaxCPUsPerSocket",
    "NodeSets",
    "Nodes",
    "PriorityJobFactor",
    "PriorityTier",
    "RootOnly",
    "ReqResv",
    "OverSubscribe",
    "OverTimeLimit",
    "PreemptMode",
    "Topology",
    "State",
    "TotalCPUs",
    "TotalNodes",
    "SelectTypeParameters",
    "JobDefaults",
    "DefMemPerCPU",
    "DefMemPerNode",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "TRES",
    "TRESBillingWeights",
    "ResumeTimeout",
    "SuspendTimeout",
    "SuspendTime",
    "PowerDownOnIdle",
};

/// Source: Slurm 22.05 to 25.05, src/api/reservation_info.c. The nodes' cores are within, key by key.
constexpr std::string_view reservation_keys[] = {
    "ReservationName", "StartTime",     "EndTime", "Duration",          "Nodes",    "NodeCnt", "CoreCnt",
    "Features",        "PartitionName", "Flags",   "NodeName",          "CoreIDs",  "TRES",    "Users",
    "Groups",          "Accounts",      "QOS",     "AllowedPartitions", "Licenses", "State",   "BurstBuffer",
    "Watts",           "MaxStartDelay", "Comment",
};

std::vector<std::string> trimmed_names(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string_view name : split(list, ','))
    if (!trimmed(name).empty()) names.emplace_back(trimmed(name));
  return names;
}

/// As `trimmed_names`; "ALL" is no limit.
std::vector<std::string> limited_names(std::string_view list) {
  return list == "ALL" ? std::vector<std::string>() : trimmed_names(list);
}

std::set<std::string> hosts_of(std::string_view hostlist) {
  const auto hosts = expanded_hostlist(hostlist);
  return hosts ? std::set<std::string>(hosts->begin(), hosts->end()) : std::set<std::string>();
}

std::optional<int> limit_of(std::string_view text) {
  const auto value = parsed_integer(text);
  constexpr std::int64_t most = 1'000'000'000;
  if (!value || *value < 0 || *value > most) return std::nullopt;  // "UNLIMITED"
  return static_cast<int>(*value);
}

}  // namespace

std::optional<double> slurm_seconds(std::string_view text) {
  const std::size_t dash = text.find('-');
  double days = 0;
  if (dash != std::string_view::npos) {
    const auto read = parsed_integer(text.substr(0, dash));
    if (!read || *read < 0) return std::nullopt;
    days = static_cast<double>(*read);
    text.remove_prefix(dash + 1);
  }
  std::array<double, 3> parts{};
  const auto pieces = split(text, ':');
  if (pieces.size() > parts.size()) return std::nullopt;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto read = parsed_integer(pieces[i]);
    if (!read || *read < 0) return std::nullopt;
    parts[i] = static_cast<double>(*read);
  }
  // Behind days: hours, hours:minutes or hours:minutes:seconds; else minutes, minutes:seconds or all three.
  const bool from_hours = dash != std::string_view::npos || pieces.size() == 3;
  const double seconds = from_hours ? 3600 * parts[0] + 60 * parts[1] + parts[2] : 60 * parts[0] + parts[1];
  return 86'400 * days + seconds;
}

std::vector<SlurmPartition> slurm_partitions(std::string_view text) {
  std::vector<SlurmPartition> partitions;
  for (const std::string_view line : split(text, '\n')) {
    const SlurmRecord record(line, partition_keys);
    if (record.value("PartitionName").empty()) continue;
    SlurmPartition& each = partitions.emplace_back();
    each.name = record.value("PartitionName");
    each.is_default = record.value("Default") == "YES";
    each.state = record.value("State");
    each.hostlist = record.value("Nodes");
    each.hosts = hosts_of(each.hostlist);
    each.max_s = slurm_seconds(record.value("MaxTime"));
    each.default_s = slurm_seconds(record.value("DefaultTime"));
    each.max_nodes = limit_of(record.value("MaxNodes"));
    each.min_nodes = limit_of(record.value("MinNodes")).value_or(0);
    each.allow_accounts = limited_names(record.value("AllowAccounts"));
    each.deny_accounts = trimmed_names(record.value("DenyAccounts"));
    each.allow_qos = limited_names(record.value("AllowQos"));
    each.deny_qos = trimmed_names(record.value("DenyQos"));
    each.qos = record.value("QoS");
    each.over_subscribe = record.value("OverSubscribe");
    each.root_only = record.value("RootOnly") == "YES";
    each.reserved_only = record.value("ReqResv") == "YES";
  }
  return partitions;
}

bool SlurmReservation::has(std::string_view flag) const {
  return std::ranges::find(flags, flag) != flags.end();
}

std::vector<SlurmReservation> slurm_reservations(std::string_view text) {
  std::vector<SlurmReservation> reservations;
  for (const std::string_view line : split(text, '\n')) {
    const SlurmRecord record(line, reservation_keys);
    const auto start_s = utc_seconds(record.value("StartTime"));
    const auto end_s = utc_seconds(record.value("EndTime"));
    if (record.value("ReservationName").empty() || !start_s || !end_s) continue;
    SlurmReservation& each = reservations.emplace_back();
    each.name = record.value("ReservationName");
    each.start_s = *start_s;
    each.end_s = *end_s;
    each.hosts = hosts_of(record.value("Nodes"));
    each.users = trimmed_names(record.value("Users"));
    each.accounts = trimmed_names(record.value("Accounts"));
    each.groups = trimmed_names(record.value("Groups"));
    each.flags = trimmed_names(record.value("Flags"));
  }
  return reservations;
}

SlurmConfiguration slurm_configuration(std::string_view text) {
  SlurmConfiguration read;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (key == "ClusterName") read.cluster = value;
    if (key == "MaxJobCount") read.most_jobs = limit_of(value);
    if (key == "SelectType") read.hands_out_gpus = value != "select/linear";
    if (key == "EnforcePartLimits") read.all_partitions_must = value == "ALL";
    // "qos" and "associations" alone check names, not limits. Source: slurm.conf(5).
    if (key == "AccountingStorageEnforce")
      for (const std::string& word : trimmed_names(value))
        read.counts = read.counts || word == "limits" || word == "safe" || word == "all";
  }
  return read;
}

// Limits that Slurm's accounting holds.
//
// Source: sacctmgr(1) of Slurm 22.05 and 25.05; "Resource Limits", slurm.schedmd.com/resource_limits.html.
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
