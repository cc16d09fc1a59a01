#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "suites/mlperf/reference/checkpoint.hpp"
#include "tests/temporary_folder.hpp"

using namespace training;

namespace {

Checkpoint small() {
  return {{.layers = 1, .width = 8, .heads = 2, .context = 6}, 3, {1.0F, -2.5F, 3e-20F}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a checkpoint gives back what was written, and leaves nothing else behind") {
  const TemporaryFolder folder;
  const std::string path = (folder.path / "weights").string();
  REQUIRE(write_checkpoint(path, small()));
  const auto read = read_checkpoint(path);
  REQUIRE(read);
  CHECK(read->shape == small().shape);
  CHECK(read->grammar_seed == 3);
  CHECK(read->weights == small().weights);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a checkpoint that is missing, none, cut or damaged is a sentence") {
  const TemporaryFolder folder;
  const std::string path = (folder.path / "weights").string();
  CHECK(read_checkpoint(path).error() ==
        "can't read the checkpoint '" + path +
            "': No such file or directory; 'mlperf pretrain --save' writes it");
  CHECK(read_checkpoint(folder.path.string()).error() ==
        "the checkpoint '" + folder.path.string() + "' is a folder");
  put(path, "HPLinpack benchmark input file\n");
  CHECK(read_checkpoint(path).error() ==
        "'" + path + "' is no checkpoint of this program: its first lines differ");
  REQUIRE(write_checkpoint(path, small()));
  const std::string whole = bytes_of(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put(path, whole.substr(0, size));
    CHECK_FALSE(read_checkpoint(path));
  }
  put(path, whole.substr(0, whole.size() - 1));
  CHECK(read_checkpoint(path).error() ==
        "the checkpoint '" + path + "' is damaged: it holds 11 bytes of weights, and its header names 12");
  for (const std::size_t back : {1U, 5U, 12U}) {
    std::string changed = whole;
    changed[whole.size() - back] = static_cast<char>(changed[whole.size() - back] ^ 1);
    put(path, changed);
    CHECK(read_checkpoint(path).error().find("is damaged: the hash of its weights is ") != std::string::npos);
  }
}

TEST_CASE("a checkpoint that can't be written is a sentence") {
  CHECK(write_checkpoint("/no/such/folder/weights", small()).error() ==
        "can't write the checkpoint '/no/such/folder/weights': No such file or directory");
}
