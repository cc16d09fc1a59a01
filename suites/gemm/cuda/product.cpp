#include "suites/gemm/cuda/product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace gemm_cuda {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;  // cuBLAS asks for 32 MiB on Hopper

/// How cuBLASLt calls the formats of a precision.
struct Types {
  cudaDataType factor = CUDA_R_64F;
  cudaDataType product = CUDA_R_64F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_64F;
  cudaDataType scalar = CUDA_R_64F;
  std::size_t factor_bytes = 8;
  std::size_t product_bytes = 8;
};

Types types_of(const Precision& precision) {
  if (precision.name == "TF32")
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, 4, 4};
  if (precision.name == "BF16") return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2};
  if (precision.name == "FP16") return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2};
  if (precision.name == "FP8") return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1, 2};
  return {};
}

/// One factor, line by line: A's rows or B's columns.
template <class Item, class Convert>
std::vector<std::byte> lines(const Factors& factors, int which, const Convert& convert) {
  const auto n = static_cast<std::size_t>(factors.n());
  std::vector<std::byte> bytes(n * n * sizeof(Item));
  std::byte* place = bytes.data();
  for (int line = 0; line < factors.n(); ++line)
    for (int k = 0; k < factors.n(); ++k, place += sizeof(Item)) {
      const Item item = convert(factors.multiple(which, line, k));
      std::memcpy(place, &item, sizeof item);
    }
  return bytes;
}

/// The bits of every multiple that a factor's entries can be, the least first.
std::vector<std::uint16_t> codes(SmallFormat format, int digits, int exponent) {
  std::vector<std::uint16_t> list;
  for (int multiple = -(1 << digits); multiple < 1 << digits; ++multiple)
    list.push_back(encoded(format, std::ldexp(multiple, exponent)));
  return list;
}

std::vector<std::byte> factor(const Factors& factors, int which, const Precision& precision) {
  const int unit = -(precision.digits + 1);
  if (precision.name == "FP64")
    return lines<double>(factors, which, [&](std::int64_t m) { return static_cast<double>(m) * 0x1p-54; });
  if (precision.name == "TF32")
    return lines<float>(factors, which, [&](std::int64_t m) { return static_cast<float>(m) * 0x1p-12F; });
  const bool eight_bits = precision.name == "FP8";
  const SmallFormat format = eight_bits ? e4m3 : precision.name == "FP16" ? fp16 : bf16;
  const auto table = codes(format, precision.digits, unit + (eight_bits ? fp8_scale_exponent : 0));
  const auto code = [&](std::int64_t m) {
    return table[static_cast<std::size_t>(m + (1 << precision.digits))];
  };
  if (eight_bits)
    return lines<std::uint8_t>(factors, which,
                               [&](std::int64_t m) { return static_cast<std::uint8_t>(code(m)); });
  return lines<std::uint16_t>(factors, which, code);
}

/// Reads the product's entries as numbers of the host.
class Reader {
 public:
  explicit Reader(const Precision& precision) : types_(types_of(precision)) {
    if (types_.product_bytes != sizeof(std::uint16_t)) return;
    const SmallFormat format = types_.product == CUDA_R_16F ? fp16 : bf16;
    for (int bits = 0; bits <= 0xffff; ++bits)
      table_.push_back(decoded(format, static_cast<std::uint16_t>(bits)));
  }

  void read(const std::byte* from, std::vector<double>& to) const {
    for (double& value : to) {
      if (types_.product_bytes == sizeof(double)) {
        std::memcpy(&value, from, sizeof value);
      } else if (types_.product_bytes == sizeof(float)) {
        float single = 0;
        std::memcpy(&single, from, sizeof single);
        value = static_cast<double>(single);
      } else {
        std::uint16_t bits = 0;
        std::memcpy(&bits, from, sizeof bits);
        value = table_[bits];
      }
      from += types_.product_bytes;
    }
  }

 private:
  Types types_;
  std::vector<double> table_;  ///< of formats of 16 bits
};

}  // namespace

StoredFactors stored(const Factors& factors, const Precision& precision) {
  return {factor(factors, 0, precision), factor(factors, 1, precision)};
}

Product::Product(const Blas& blas, const Precision& precision, int n, const StoredFactors& factors)
    : blas_(blas),
      precision_(precision),
      n_(n),
      a_(factors.a.size()),
      b_(factors.b.size()),
      c_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * types_of(precision).product_bytes),
      workspace_(workspace_bytes),
      scales_(sizeof(float)) {
  kernel::demand(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  kernel::demand(cudaMemcpy(a_.as<void>(), factors.a.data(), factors.a.size(), cudaMemcpyHostToDevice),
                 "copying A");
  kernel::demand(cudaMemcpy(b_.as<void>(), factors.b.data(), factors.b.size(), cudaMemcpyHostToDevice),
                 "copying B");
  const float scale = std::ldexp(1.0F, -fp8_scale_exponent);
  kernel::demand(cudaMemcpy(scales_.as<void>(), &scale, sizeof scale, cudaMemcpyHostToDevice),
                 "copying a scale");
  demand(blas_, blas_.create(&handle_), "starting cuBLASLt");
  describe_operation(precision);
  choose_algorithm();
}

Product::~Product() {
  blas_.layout_destroy(product_layout_);
  blas_.layout_destroy(factor_layout_);
  blas_.operation_destroy(operation_);
  blas_.destroy(handle_);
  cudaStreamDestroy(stream_);
}

void Product::describe_operation(const Precision& precision) {
  const Types types = types_of(precision);
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    demand(blas_, blas_.operation_set(operation_, attribute, &value, sizeof value), "describing the product");
  };
  demand(blas_, blas_.operation_create(&operation_, types.compute, types.scalar), "describing the product");
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);  // A is stored by rows: FP8 has no other way
  if (types.factor == CUDA_R_8F_E4M3) {
    const void* const scale = scales_.as<void>();
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale);
    set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  }
  const auto n = static_cast<std::uint64_t>(n_);
  demand(blas_, blas_.layout_create(&factor_layout_, types.factor, n, n, n_), "describing a factor");
  demand(blas_, blas_.layout_create(&product_layout_, types.product, n, n, n_), "describing the product");
}

void Product::choose_algorithm() {
  constexpr int most = 8;
  cublasLtMatmulPreference_t preference = nullptr;
  demand(blas_, blas_.preference_create(&preference), "asking for algorithms");
  demand(blas_,
         blas_.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                              sizeof workspace_bytes),
         "asking for algorithms");
  std::array<cublasLtMatmulHeuristicResult_t, most> found{};
  int count = 0;
  const cublasStatus_t status =
      blas_.algorithms(handle_, operation_, factor_layout_, factor_layout_, product_layout_, product_layout_,
                       preference, most, found.data(), &count);
  blas_.preference_destroy(preference);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return;
  demand(blas_, status, "asking for algorithms");
  double best = 0;
  for (int i = 0; i < count; ++i) {
    if (found.at(static_cast<std::size_t>(i)).state != CUBLAS_STATUS_SUCCESS) continue;
    const cublasLtMatmulAlgo_t& algorithm = found.at(static_cast<std::size_t>(i)).algo;
    enqueue(algorithm);
    timer_.start(stream_);
    enqueue(algorithm);
    const double seconds = timer_.stop(stream_);
    if (algorithm_ && seconds >= best) continue;
    algorithm_ = algorithm;
    best = seconds;
  }
}

void Product::enqueue(const cublasLtMatmulAlgo_t& algorithm) {
  const double one = 1;
  const double zero = 0;
  const float one_of_32 = 1;
  const float zero_of_32 = 0;
  const bool doubles = types_of(precision_).scalar == CUDA_R_64F;
  const void* const alpha = doubles ? static_cast<const void*>(&one) : &one_of_32;
  const void* const beta = doubles ? static_cast<const void*>(&zero) : &zero_of_32;
  demand(blas_,
         blas_.multiply(handle_, operation_, alpha, a_.as<void>(), factor_layout_, b_.as<void>(),
                        factor_layout_, beta, c_.as<void>(), product_layout_, c_.as<void>(), product_layout_,
                        &algorithm, workspace_.as<void>(), workspace_bytes, stream_),
         "multiplying");
}

double Product::multiply(int products) {
  timer_.start(stream_);
  for (int product = 0; product < products; ++product) enqueue(*algorithm_);
  return timer_.stop(stream_);
}

void Product::spoil() {
  constexpr int nan = 0xff;  // each byte: a nan in all formats of the product
  const auto n = static_cast<std::size_t>(n_);
  kernel::demand(cudaMemset(c_.as<void>(), nan, n * n * types_of(precision_).product_bytes), "filling C");
  kernel::demand(cudaDeviceSynchronize(), "filling C");
}

double Product::error(const Expected& expected) const {
  constexpr int columns_at_once = 256;
  const auto n = static_cast<std::size_t>(n_);
  const std::size_t column_bytes = n * types_of(precision_).product_bytes;
  std::vector<std::byte> bytes(column_bytes * columns_at_once);
  std::vector<double> column(n);
  const Reader reader(precision_);
  ProductCheck check(expected);
  for (int first = 0; first < n_; first += columns_at_once) {
    const int count = std::min(columns_at_once, n_ - first);
    kernel::demand(
        cudaMemcpy(bytes.data(), c_.as<std::byte>() + static_cast<std::size_t>(first) * column_bytes,
                   static_cast<std::size_t>(count) * column_bytes, cudaMemcpyDeviceToHost),
        "copying the product");
    for (int i = 0; i < count; ++i) {
      reader.read(bytes.data() + static_cast<std::size_t>(i) * column_bytes, column);
      check.add(first + i, column.data());
    }
  }
  return check.error();
}

}  // namespace gemm_cuda
