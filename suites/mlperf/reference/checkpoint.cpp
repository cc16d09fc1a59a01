#include "suites/mlperf/reference/checkpoint.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace training {
namespace {

static_assert(std::endian::native == std::endian::little, "the checkpoint's format is little-endian");

constexpr const char* kTitle = "shakedown MLPerf reference checkpoint 1";

/// Everything in front of the weights.
std::string header_of(const Checkpoint& checkpoint) {
  const Shape& shape = checkpoint.shape;
  std::ostringstream text;
  text << kTitle << "\nlayers " << shape.layers << " width " << shape.width << " heads " << shape.heads
       << " context " << shape.context << "\ngrammar " << checkpoint.grammar_seed << "\nweights "
       << checkpoint.weights.size() << " hash " << hash_text(hash_of(checkpoint.weights)) << "\n";
  return text.str();
}

std::string cause() {
  return std::strerror(errno);
}

/// Reads what `header_of` writes; the number of weights to come and their hash.
struct Header {
  Checkpoint checkpoint;
  std::size_t count = 0;
  std::string hash;
};

bool read_header(std::istream& file, Header& header) {
  constexpr std::size_t most_weights = std::size_t{1} << 32;
  std::string title;
  std::array<std::string, 7> words;
  Shape& shape = header.checkpoint.shape;
  auto& [layers, width, heads, context, grammar, weights, hash] = words;
  std::getline(file, title);
  if (title != kTitle) return false;
  file >> layers >> shape.layers >> width >> shape.width >> heads >> shape.heads >> context >> shape.context;
  file >> grammar >> header.checkpoint.grammar_seed >> weights >> header.count >> hash >> header.hash;
  return file.good() && file.get() == '\n' && layers == "layers" && hash == "hash" &&
         header.count <= most_weights;
}

}  // namespace

std::uint64_t hash_of(std::span<const float> values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : std::as_bytes(values)) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::string hash_text(std::uint64_t hash) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64, hash);
  return digits.data();
}

tl::expected<void, std::string> write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  const std::string beside = path + ".part";
  {
    std::ofstream file(beside, std::ios::binary);
    if (!file) return tl::unexpected("can't write the checkpoint '" + path + "': " + cause());
    file << header_of(checkpoint);
    const auto bytes = std::as_bytes(std::span(checkpoint.weights));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      std::string why = cause();
      std::remove(beside.c_str());
      return tl::unexpected("can't write the checkpoint '" + path + "': " + why);
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    std::string why = cause();
    std::remove(beside.c_str());
    return tl::unexpected("can't write the checkpoint '" + path + "': " + why);
  }
  return {};
}

tl::expected<Checkpoint, std::string> read_checkpoint(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure))
    return tl::unexpected("the checkpoint '" + path + "' is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return tl::unexpected("can't read the checkpoint '" + path + "': " + cause() +
                          "; 'mlperf pretrain --save' writes it");
  Header header;
  if (!read_header(file, header))
    return tl::unexpected("'" + path + "' is no checkpoint of this program: its first lines differ");
  const auto begin = file.tellg();
  file.seekg(0, std::ios::end);
  const auto bytes = static_cast<std::size_t>(file.tellg() - begin);
  if (bytes != header.count * sizeof(float))
    return tl::unexpected("the checkpoint '" + path + "' is damaged: it holds " + std::to_string(bytes) +
                          " bytes of weights, and its header names " +
                          std::to_string(header.count * sizeof(float)));
  file.seekg(begin);
  header.checkpoint.weights.resize(header.count);
  file.read(reinterpret_cast<char*>(header.checkpoint.weights.data()), static_cast<std::streamsize>(bytes));
  if (!file) return tl::unexpected("can't read the checkpoint '" + path + "' to its end");
  const std::string hash = hash_text(hash_of(header.checkpoint.weights));
  if (hash != header.hash)
    return tl::unexpected("the checkpoint '" + path + "' is damaged: the hash of its weights is " + hash +
                          ", and its header names " + header.hash);
  return std::move(header.checkpoint);
}

}  // namespace training
