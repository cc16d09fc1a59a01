#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "suites/mlperf/reference/block.hpp"

namespace training {

/// FNV-1a with 64 bits, over the bytes.
std::uint64_t hash_of(std::span<const float> values);
/// Its 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// Weights of a whole model on their way from pretraining to fine-tuning.
///
/// The file: "shakedown MLPerf reference checkpoint 1", the shape, the grammar's seed, the count and the hash
/// of the weights as text lines, then these as little-endian FP32.
struct Checkpoint {
  Shape shape;  ///< without adapters
  std::uint64_t grammar_seed = 0;
  std::vector<float> weights;
};

/// Written beside and moved into place, so that a run that ends early makes no partial file. Fails with a
/// sentence.
tl::expected<void, std::string> write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Fails with a sentence where the file is missing, is none, is cut or damaged.
tl::expected<Checkpoint, std::string> read_checkpoint(const std::string& path);

}  // namespace training
