#pragma once
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// SHA-256 over the text of an attempt as the store gives it back (not as it was put in: the store keeps no
/// infinities and each metric of a result once). Equal rows give equal hashes in every version: what a later
/// one adds to an attempt must add nothing to the text where it is empty.
RecordHash record_hash(const AttemptRecord& attempt);

/// The first of them alone, which needs no excerpt.
std::string record_sha256(const AttemptRecord& attempt);

}  // namespace shakedown
