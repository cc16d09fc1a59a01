#!/bin/sh
# A program that multiplies matrices uses routines that fit the processor, also where OpenBLAS takes it for an old one.
. "$(dirname -- "$0")/../cli/check.sh"
[ -x "$LIBEXEC/gemm" ] || { echo "SKIPPED: $LIBEXEC/gemm was not built (MPI and BLAS)"; exit 77; }
unset OPENBLAS_CORETYPE
# OpenBLAS prints this each time that it is loaded.
cores() { env OPENBLAS_VERBOSE=2 "$@" "$LIBEXEC/$kernel" --help 2>&1 | sed -n 's/^Core: //p'; }
for kernel in gemm hpl hpl-mxp mlperf; do
  last=$(cores env | tail -n 1)
  [ -n "$last" ] || { echo "SKIPPED: the BLAS here is not OpenBLAS"; exit 77; }
  if grep -q '^flags.* avx2' /proc/cpuinfo; then
    check "$kernel: $last uses what the processor has" \
      sh -c "case $last in Haswell|Zen|Excavator|SkylakeX|Cooperlake|SapphireRapids) ;; *) exit 1 ;; esac"
  fi
  check "$kernel: what the user asks for stays" [ "$(cores env OPENBLAS_CORETYPE=Nehalem)" = Nehalem ]
done
finish
