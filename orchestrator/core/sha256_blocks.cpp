#include "orchestrator/core/sha256_blocks.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

namespace shakedown {
namespace {

const __m128i* vectors(const void* at) {
  return static_cast<const __m128i*>(at);
}

}  // namespace

bool has_sha256_instructions() {
  static const bool has = [] {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    // A processor with them has SSE4.1 as well. CPUID is asked as seldom as can be: each time a hypervisor
    // answers.
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 29U)) != 0;
  }();
  return has;
}

__attribute__((target("sha,sse4.1"))) void add_sha256_blocks(std::uint32_t* words, const unsigned char* data,
                                                             std::size_t blocks) {
  // The instructions take the words a to h as ABEF and CDGH, the highest first.
  const __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128(vectors(words)), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(vectors(words + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, dcba, 0xF0);
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];  // the last 16 words of the message schedule
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(vectors(data) + i), big_endian);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      const __m128i sum = _mm_add_epi32(w[i % 4], _mm_load_si128(vectors(sha256_constants.data()) + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      const __m128i partial = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                                            _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
      w[i % 4] = _mm_sha256msg2_epu32(partial, w[(i + 3) % 4]);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  auto* out = reinterpret_cast<__m128i*>(words);
  _mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace shakedown

#else

namespace shakedown {

bool has_sha256_instructions() {
  return false;
}

void add_sha256_blocks(std::uint32_t* /*words*/, const unsigned char* /*data*/, std::size_t /*blocks*/) {}

}  // namespace shakedown
#endif
