#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/lines.hpp"

namespace shakedown {

/// The content of one line of an MLPerf log. Views live until the next line is decoded.
struct MlperfEvent {
  enum class Kind { none, nothing, boolean, number, text, compound };

  std::string_view version;    ///< of the log's format if stated: "0.5", "0.6"
  std::string_view benchmark;  ///< of the line itself: only version 0.5 has it
  std::string_view key;        ///< "run_start"
  std::optional<double> time_ms;
  Kind kind = Kind::none;  ///< of the value
  std::string_view value;  ///< as printed, a text without its quotes; empty for null, an object or a list
  std::optional<double> number;  ///< the value where it is a finite number, also one in quotes
  /// The finite numbers in a value that is an object: {"throughput": 2.17}.
  std::vector<std::pair<std::string, double>> members;
  std::string_view status;         ///< "success", "aborted", "abort"
  std::string_view metric;         ///< of several that are evaluated: "FID", "CLIP"
  std::optional<double> position;  ///< samples_count, else epoch_num: how far the training is
};

class MlperfJson;

/// Whether a line is one of MLPerf's logging, and its content.
///
/// Source: mlcommons/logging, mllog.py and compliance_checker/mlp_parser: ":::MLLOG {json}" behind any
/// prefix, the last such token of a line counts; mlperf_compliance 0.6, ":::MLL <seconds> <key>: {json}" and
/// 0.5, ":::MLPv0.5.0 <benchmark> <seconds> (<file>:<line>) <key>[: <value>]".
class MlperfDecoder {
 public:
  MlperfDecoder();
  ~MlperfDecoder();
  MlperfDecoder(const MlperfDecoder&) = delete;
  MlperfDecoder& operator=(const MlperfDecoder&) = delete;

  enum class Line {
    foreign,    ///< no logging line, or one that is only quoted
    counted,    ///< a key that matters by its presence: `key` alone is set
    ignored,    ///< a key that nothing is made of
    event,      ///< decoded
    unreadable  ///< a logging line that is cut or mixed with another
  };

  /// Decodes only the keys that results are made of.
  Line read(const LogLine& line);

  [[nodiscard]] const MlperfEvent& event() const { return event_; }

 private:
  Line read_mllog(std::string_view json);
  Line read_06(std::string_view rest);
  Line read_05(std::string_view rest, bool terminated);

  MlperfEvent event_;
  std::unique_ptr<MlperfJson> json_;
};

/// Reads the JSON object of a logging line.
class MlperfJson {
 public:
  MlperfJson();
  ~MlperfJson();
  MlperfJson(const MlperfJson&) = delete;
  MlperfJson& operator=(const MlperfJson&) = delete;

  /// Adds the content of the object at the start of `json` to `event`, whose views live until the next call.
  /// What follows the object is ignored, and bytes that are no UTF-8 are taken as Latin-1, as the official
  /// reader takes all. False, with `event` as it was, where the object is not whole.
  bool read(std::string_view json, MlperfEvent& event);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace shakedown
