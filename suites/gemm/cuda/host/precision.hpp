#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gemm_cuda {

/// A floating-point format of at most 16 bits: sign, exponent, fraction. `e4m3` has no infinities, and its
/// largest exponent holds numbers.
///
/// Source: IEEE 754 (FP16); Micikevicius et al., "FP8 Formats for Deep Learning", 2022, Table 1 (E4M3).
struct SmallFormat {
  int exponent_bits = 5;
  int fraction_bits = 10;
  friend bool operator==(const SmallFormat&, const SmallFormat&) = default;
};
inline constexpr SmallFormat fp16 = {5, 10};
inline constexpr SmallFormat bf16 = {8, 7};
inline constexpr SmallFormat e4m3 = {4, 3};

/// The bits of a number that the format holds exactly, in its normal range or 0.
std::uint16_t encoded(SmallFormat format, double value);
/// The number that the bits mean; nan where they mean none.
double decoded(SmallFormat format, std::uint16_t bits);

/// How a matrix product is computed: formats of the factors and of the product, and what their rounding is
/// worth.
struct Precision {
  std::string_view name;        ///< "FP64", as the report prints it
  int digits = 53;              ///< significant bits of a factor's entries, which are exact in its format
  double product_roundoff = 0;  ///< relative error of writing an entry of the product
  double sum_roundoff = 0;      ///< relative to the partial sum: error of adding to it
  int products_a_sum = 1;       ///< products that are added to it at once
  int capability = 80;          ///< least compute capability that has units for it
};

/// Order of magnitude by which the factors of FP8 are stored larger than they are, as its scales undo: 2^9
/// puts them within +-256 of E4M3's 448.
inline constexpr int fp8_scale_exponent = 9;

/// The precisions in the order in which they are measured.
///
/// product_roundoff is the unit roundoff of the format that the product is written in: FP64 2^-53, FP32 (for
/// TF32) 2^-24, FP16 2^-11, BF16 (for BF16 and FP8) 2^-9. FP8's own, 2^-4, does not enter, since its factors
/// are exact.
///
/// sum_roundoff: FP64 rounds, 2^-53. The tensor cores add FP16, BF16 and TF32 products in FP32 and truncate:
/// 2^-23. FP8 with fast accumulation keeps about 14 bits of a sum and truncates, 2^-13, once for each 32
/// products: within such a block the truncations of terms of random sign cancel.
///
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, Section 2.1; Fasi, Higham,
/// Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021; DeepSeek-AI, "DeepSeek-V3 Technical
/// Report", 2024, Section 3.3.2 (14 bits on Hopper; a largest relative error near 2 % for 4096 products); PTX
/// ISA, wgmma m64nNk32 of e4m3; NVIDIA cuBLAS, CUBLASLT_MATMUL_DESC_FAST_ACCUM.
inline constexpr std::array precisions = {
    Precision{"FP64", 53, 0x1p-53, 0x1p-53, 1, 60}, Precision{"TF32", 11, 0x1p-24, 0x1p-23, 1, 80},
    Precision{"BF16", 8, 0x1p-9, 0x1p-23, 1, 80}, Precision{"FP16", 11, 0x1p-11, 0x1p-23, 1, 70},
    Precision{"FP8", 4, 0x1p-9, 0x1p-13, 32, 89}};

}  // namespace gemm_cuda
