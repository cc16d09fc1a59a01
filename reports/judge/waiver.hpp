#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

/// That a mandatory clause need not pass: [[waivers]] of a criteria file. The clause keeps its own verdict;
/// it only no longer stops acceptance.
struct Waiver {
  std::string criterion;  ///< the clause's id, or "id@case": on that case alone
  std::string reason;
  std::string approver;
  std::string expires;   ///< "2027-03-31": the last day on which it holds, UTC
  double expires_s = 0;  ///< the end of that day, seconds since 1970

  /// Whether it speaks of a judged clause: "hpl-rmax" of "hpl-rmax@hpl-98n" too.
  [[nodiscard]] bool covers(std::string_view judged_id) const;
  /// Whether it is of a clause, or of one case of it.
  [[nodiscard]] bool is_of(std::string_view clause_id) const;
  [[nodiscard]] bool expired(double at_s) const { return at_s >= expires_s; }
};

/// Reads the [[waivers]] of a criteria file. Refuses those of no clause among `ids`, and those without a
/// reason, an approver or a day of expiry.
std::vector<Waiver> waivers_from(TomlTable& file, std::span<const std::string> ids);

/// The waivers as they stand in a criteria file.
std::string waivers_toml(std::span<const Waiver> waivers);

}  // namespace shakedown
