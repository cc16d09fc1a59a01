#include "orchestrator/store/store_place.hpp"

#include "orchestrator/core/file_lock.hpp"

namespace shakedown {

StorePlace place_of_store(const std::filesystem::path& folder) {
  StorePlace place;
  if (auto found = filesystem_of(folder))
    place.filesystem = *std::move(found);
  else
    place.filesystem = {"a filesystem of unknown type", true};
  if (place.alone()) place.record_locks = has_record_locks(folder);
  return place;
}

std::string StorePlace::text() const {
  if (!alone()) return filesystem.name + ", of this host: the store keeps a write-ahead log";
  return fmt::format(
      "{}, may be shared with other hosts: rollback journal, one shakedown writes at a time, known by its "
      "signs "
      "of life; {}",
      filesystem.name, record_locks ? "locks work on this host" : "it has no locks");
}

std::filesystem::path store_lock(const std::filesystem::path& folder) {
  return folder / "results.lock";
}

std::optional<LockHolder> store_holder(const std::filesystem::path& store) {
  return lock_holder(store_lock(store.has_parent_path() ? store.parent_path() : "."));
}

}  // namespace shakedown
