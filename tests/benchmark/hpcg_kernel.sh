#!/bin/sh
# How does the reference HPCG kernel compare with the official HPCG 3.1? On 2 ranks, for each size:
#
#   1. the residual of each of the reference's 50 iterations: equal to 1e-10, relative
#   2. the rating of the plain kernels over the official rating, and that of the optimised kernels over it: medians
#      of runs that alternate, so that a machine that changes its speed meanwhile changes all
#
# The official program is built here from its source, in a temporary folder, with our compiler, twice: with our
# flags (-O3) and with its own (Make.Linux_MPI: -O3 -ffast-math -ftree-vectorize); the faster one is compared with.
#
# usage: HPCG_SOURCE=/path/to/hpcg [BUILD=build/release] [RUNS=5] [SIZES="64 104"] [SECONDS_EACH=10]
#        tests/benchmark/hpcg_kernel.sh
# Needs an idle machine with 2 cores, mpirun and mpicxx.
set -eu
SIZES=${SIZES:-64 104}
SECONDS_EACH=${SECONDS_EACH:-10}
if [ -z "${HPCG_SOURCE:-}" ] || [ ! -f "${HPCG_SOURCE:-}/src/ComputeSYMGS_ref.cpp" ]; then
  echo "SKIPPED: set HPCG_SOURCE to the source of HPCG 3.1 (github.com/hpcg-benchmark/hpcg)"
  exit 77
fi
. "$(dirname "$0")/quiet.sh"
kernel=$libexec/hpcg

# build NAME FLAGS: the official program as $folder/NAME/xhpcg.
build() {
  mkdir "$1"
  cp "$HPCG_SOURCE"/src/*pp "$1"
  # Residuals with all their digits, in the build that prints them.
  [ "$1" = history ] && sed -i 's/^  free( iparams );/  HPCG_fout.precision(17);\n  free( iparams );/' "$1/init.cpp"
  (cd "$1" && for source in *.cpp; do mpicxx $2 -DHPCG_NO_OPENMP -I. -c "$source"; done && mpicxx $2 ./*.o -o xhpcg)
}
echo "Building the official HPCG three times with $(mpicxx --version | head -n 1)"
build ours "-O3 -DNDEBUG"
build own "-O3 -ffast-math -ftree-vectorize"
build history "-O3 -DNDEBUG -DHPCG_DEBUG"

# in_folder NAME PROGRAM ARGUMENT...: a run in a new folder NAME.
in_folder() {
  rm -rf "run-$1"
  mkdir "run-$1"
  name=$1
  shift
  (cd "run-$name" && mpi 2 "$@" >stdout 2>stderr) || { cat "run-$name/stderr"; exit 1; }
}
history() { cat "run-$1"/hpcg2*.txt | awk '/^Iteration = / { print $3, $NF }' | head -n 50; }
rating() { sed -n 's/^Final Summary::HPCG result is VALID with a GFLOP\/s rating of=//p' "run-$1"/HPCG-Benchmark_*.txt; }

machine
for size in $SIZES; do
  in_folder history "$folder/history/xhpcg" --nx="$size" --rt=1
  in_folder plain "$kernel" --nx="$size" --rt=0 --plain
  history history >official.history
  history plain >plain.history
  paste -d' ' official.history plain.history |
    awk -v size="$size" '{ d = ($4 - $2) / $2; if (d < 0) d = -d; if (d > most) most = d + 0; n += $1 == $3 }
                         END { printf "1. %d^3: residuals of %d iterations differ by at most %.1e, relative (<= 1e-10)\n", size, n, most; exit n != 50 || most > 1e-10 }'
  rm -f ./*.ratings ./*.ratios
  run=0
  while [ $run -lt "$RUNS" ]; do
    run=$((run + 1))
    in_folder ours "$folder/ours/xhpcg" --nx="$size" --rt="$SECONDS_EACH"
    in_folder own "$folder/own/xhpcg" --nx="$size" --rt="$SECONDS_EACH"
    in_folder plain "$kernel" --nx="$size" --rt="$SECONDS_EACH" --plain
    in_folder optimised "$kernel" --nx="$size" --rt="$SECONDS_EACH"
    for name in ours own plain optimised; do
      [ -n "$(rating $name)" ] || { echo "$size^3, $name: the run has no valid rating" >&2; exit 1; }
      rating $name >>$name.ratings
    done
    echo "$(rating ours) $(rating own) $(rating plain) $(rating optimised)" |
      awk -v run=$run '{ official = $1 > $2 ? $1 : $2
                         printf "run %d: official %.2f (our flags) %.2f (its own)  plain %.2f  optimised %.2f GFLOP/s\n", run, $1, $2, $3, $4
                         print official >>"official.ratings"; print $3 / official >>"plain.ratios"; print $4 / official >>"optimised.ratios" }'
  done
  official="official HPCG 3.1, the faster of two builds: $(digits %.2f "$(median <official.ratings)")"
  for name in plain optimised; do
    target=">= 1.0"
    [ $name = plain ] || target=">= 1.3"
    [ $name = plain ] || [ "$size" != 104 ] || target=">= 2.2"
    row "HPCG, $name, $size^3 for each of 2 ranks" "$(digits %.2f "$(median <$name.ratings)") GFLOP/s" "$official GFLOP/s" "$(digits %.2f "$(median <$name.ratios)")" \
      "$(range <$name.ratios)" "$target" "$(median <$name.ratios)"
  done
done
afterwards
