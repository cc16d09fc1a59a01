#include "suites/io500/reference/ini.hpp"

namespace io500 {
namespace {

Key word(std::string_view name, std::string value = "") {
  return {name, Kind::text, std::move(value)};
}
Key whole(std::string_view name, std::string value = "") {
  return {name, Kind::whole, std::move(value)};
}
Key truth(std::string_view name, std::string value = "") {
  return {name, Kind::truth, std::move(value)};
}

std::vector<Key> find_keys() {
  return {word("external-script"),
          {"external-mpi-args", Kind::text, "", 0, true},
          {"external-extra-args", Kind::text, "", 0, true},
          whole("nproc"),
          truth("run", "TRUE"),
          whole("pfind-queue-length", "10000"),
          truth("pfind-steal-next", "FALSE"),
          truth("pfind-parallelize-single-dir-access-using-hashing", "FALSE")};
}

}  // namespace

std::vector<Section> default_sections() {
  const std::vector<Key> phase = {word("API"), truth("run", "TRUE")};
  const std::vector<Key> hard_phase = {word("API"), truth("collective"), truth("run", "TRUE")};
  const std::vector<Key> run = {truth("run", "TRUE")};
  return {
      {"global",
       {word("datadir", "./datafiles"), truth("timestamp-datadir", "TRUE"), word("resultdir", "./results"),
        truth("timestamp-resultdir", "TRUE"), word("api", "POSIX"), truth("drop-caches", "FALSE"),
        word("drop-caches-cmd", "sudo -n bash -c \"echo 3 > /proc/sys/vm/drop_caches\""),
        truth("io-buffers-on-gpu", "FALSE"), whole("verbosity", "1"), truth("scc", "FALSE"),
        word("dataPacketType", "timestamp")}},
      {"debug", {whole("stonewall-time", "300"), word("pause-dir")}},
      {"ior-easy",
       {word("API"), word("transferSize", "2m"), word("blockSize", "9920000m"), truth("filePerProc", "TRUE"),
        truth("uniqueDir", "FALSE"), truth("run", "TRUE"), whole("verbosity")}},
      {"ior-easy-write", phase},
      {"mdtest-easy", {word("API"), whole("n", "1000000"), truth("run", "TRUE")}},
      {"mdtest-easy-write", phase},
      {"mdworkbench",
       {word("API"),
        {"waitingTime", Kind::number, "0.0"},
        whole("precreatePerSet"),
        whole("filesPerProc"),
        truth("run", "TRUE"),
        whole("verbosity")}},
      {"mdworkbench-create", run},
      {"timestamp", {}},
      {"find-easy", find_keys()},
      {"ior-hard",
       {word("API"), whole("segmentCount", "10000000"), truth("collective"), truth("run", "TRUE"),
        whole("verbosity")}},
      {"ior-hard-write", hard_phase},
      {"mdtest-hard", {word("API"), whole("n", "1000000"), whole("files-per-dir"), truth("run", "TRUE")}},
      {"mdtest-hard-write", phase},
      {"find", find_keys()},
      {"find-hard", find_keys()},
      {"mdworkbench-bench", run},
      {"ior-easy-read", phase},
      {"mdtest-easy-stat", phase},
      {"ior-hard-read", hard_phase},
      {"mdtest-hard-stat", phase},
      {"mdworkbench-delete", run},
      {"mdtest-easy-delete", phase},
      {"mdtest-hard-read", phase},
      {"mdtest-hard-delete", phase},
      {"ior-rnd4K-easy-read", phase},
  };
}

}  // namespace io500
