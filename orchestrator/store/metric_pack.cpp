#include "orchestrator/store/metric_pack.hpp"

#include <array>

namespace shakedown {

void pack_metrics(Database::Connection& db, std::int64_t result_id) {
  std::vector<unsigned char> pack;
  auto& rows = db.query(
      "SELECT name_id, value FROM metric_value WHERE result_id = ? AND value IS NOT NULL ORDER BY seq",
      result_id);
  while (rows.executeStep()) {
    std::array<unsigned char, packed_number_bytes> number{};
    boost::endian::store_little_u32(number.data(), rows.getColumn(0).getUInt());
    boost::endian::store_little_u64(number.data() + packed_name_bytes,
                                    std::bit_cast<std::uint64_t>(rows.getColumn(1).getDouble()));
    pack.insert(pack.end(), number.begin(), number.end());
  }
  rows.reset();
  if (pack.empty()) return;
  auto& insert = db.query("INSERT OR REPLACE INTO metric_pack VALUES (?, ?)", result_id);
  insert.bind(2, pack.data(), static_cast<int>(pack.size()));
  insert.exec();
}

void pack_all_metrics(Database::Connection& db) {
  std::vector<std::int64_t> results;
  auto& rows = db.query("SELECT DISTINCT result_id FROM metric_value");
  while (rows.executeStep()) results.push_back(rows.getColumn(0).getInt64());
  rows.reset();
  for (const std::int64_t result : results) pack_metrics(db, result);
}

}  // namespace shakedown
