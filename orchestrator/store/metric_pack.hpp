#pragma once
#include <boost/endian/conversion.hpp>

#include <bit>
#include <cstdint>
#include <span>

#include "orchestrator/store/connection.hpp"

namespace shakedown {

/// Packs the numbers of a result's metrics: writes its row of `metric_pack` from those of `metric_value`.
/// Within the caller's transaction.
void pack_metrics(Database::Connection& db, std::int64_t result_id);

/// Packs those of all results of a store that has none packed. Within the caller's transaction.
void pack_all_metrics(Database::Connection& db);

/// Bytes of a packed number: of its metric's name, and of its value.
constexpr std::size_t packed_name_bytes = 4;
constexpr std::size_t packed_number_bytes = packed_name_bytes + 8;

/// Calls `take(name_id, value)` for each number of a pack; what is too short for one at its end is left.
template <class Take>
void for_packed(std::span<const unsigned char> pack, Take take) {
  for (; pack.size() >= packed_number_bytes; pack = pack.subspan(packed_number_bytes))
    take(boost::endian::load_little_u32(pack.data()),
         std::bit_cast<double>(boost::endian::load_little_u64(pack.data() + packed_name_bytes)));
}

}  // namespace shakedown
