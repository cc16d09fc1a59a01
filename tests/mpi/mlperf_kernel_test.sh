# The training screen reaches its targets, trains the same on any number of ranks, hands its weights over, and
# refuses what is wrong.
kernel=mlperf
. "$PROJECT/tests/mpi/ranks.sh"
limit=120
tiny="--layers 1 --width 16 --heads 2 --context 16 --batch 8 --micro-batch 2 --train-samples 512 --eval-samples 32 --eval-every 32"

# losses: "samples loss" of each evaluation.
losses() { sed -n 's/.*"key": "eval_accuracy", "value": \([0-9.]*\),.*"samples_count": \([0-9]*\).*/\2 \1/p' out; }
# same_losses TOLERANCE: whether losses.$ranks are those of one rank.
same_losses() {
  paste -d' ' losses.1 losses.$ranks | awk -v most="$1" '{ off = $2 / $4 - 1; if (NF != 4 || $1 != $3 || off > most || off < -most) bad = 1 }
    END { exit bad }'
}
event() { grep -c "\"key\": \"$1\"" out; }

# The same training on any number of ranks, of which some don't divide the batch or the held-out samples.
for ranks in 1 2 3 4 8; do
  # shellcheck disable=SC2086
  run $ranks pretrain $tiny --seed 3 --target 3.3 --max-steps 160 --peak-gflops 100
  [ "$code" = 0 ] || fail "exit code $code on $ranks ranks"
  head -n 1 out | grep -q '^shakedown MLPerf reference 0\.1\.0 ' || fail "no banner"
  grep -q "^Ranks: $ranks  Threads per rank: 1$" out || fail "the ranks aren't counted"
  grep -q '^Verification: PASSED ' out || fail "nothing is verified"
  grep -q '^FLOP of training: \([0-9.e+]*\) counted in products, \1 by the formula$' out || fail "the operations differ"
  for key in cache_clear init_start submission_benchmark submission_division submission_org submission_platform seed \
    global_batch_size train_samples eval_samples target_accuracy init_stop run_start epoch_start run_stop; do
    [ "$(event $key)" = 1 ] || fail "$(event $key) lines of $key"
  done
  grep -q '"key": "submission_benchmark", "value": "shakedown_pretrain_custom"' out || fail "another model has the benchmark's name"
  grep -q '"key": "run_stop".*"status": "success"' out || fail "no success"
  grep -q '"key": "tracked_stats".*"throughput": [0-9.]*, "tokens_per_s": [0-9.]*, "gflops": [0-9.e-]*, "mfu": [0-9.e-]*}' out || fail "no rates"
  case $ranks in 3) grep -q "^note: 8 samples of a batch don't divide among 3 ranks: some have 3, others 2, and wait$" out || fail "no word of the rest" ;; esac
  losses >losses.$ranks
  [ "$(wc -l <losses.$ranks)" -ge 2 ] || fail "fewer than two evaluations"
  # Where the shares of both, batch and held-out samples, are whole micro-batches and powers of two, every product
  # has the same size and every sum the same order: the losses are the same bit for bit.
  case $ranks in 2 | 4) tolerance=1e-14 ;; *) tolerance=1e-4 ;; esac
  same_losses $tolerance || fail "the losses on $ranks ranks differ from those on one: $(paste -d' ' losses.1 losses.$ranks)"
done

# Another seed trains otherwise; without one each run has its own.
# shellcheck disable=SC2086
run 2 pretrain $tiny --seed 4 --target 3.3 --max-steps 160
losses | cmp -s - losses.2 && fail "the seed makes no difference"
seeds=
for run in 1 2; do
  # shellcheck disable=SC2086
  run 2 pretrain $tiny --target 99 --max-steps 4
  [ "$code" = 0 ] || fail "exit code $code without a seed"
  seeds="$seeds $(sed -n 's/.*"key": "seed", "value": \([0-9]*\),.*/\1/p' out)"
done
# shellcheck disable=SC2086
set -- $seeds
[ $# = 2 ] && [ "$1" != "$2" ] || fail "seeds without --seed:$seeds"

# Weights go from pretraining to fine-tuning, which leaves them as they are.
# shellcheck disable=SC2086
run 2 pretrain $tiny --seed 3 --target 3.3 --max-steps 160 --save weights
[ "$code" = 0 ] || fail "exit code $code with --save"
saved=$(sed -n 's/^Checkpoint: weights hash \([0-9a-f]*\)$/\1/p' out)
[ -n "$saved" ] || fail "no hash"
for ranks in 1 2 3 4 8; do
  # shellcheck disable=SC2086
  run $ranks lora $tiny --rank 4 --seed 3 --target 3.3 --max-steps 160 --load weights
  [ "$code" = 0 ] || fail "lora: exit code $code on $ranks ranks"
  grep -q "^Checkpoint: weights hash $saved$" out || fail "other weights were loaded"
  grep -q '"key": "lora_rank", "value": 4' out || fail "the rank isn't logged"
  [ "$(event run_start)" = 1 ] || fail "lora with --load pretrains"
  losses >losses.$ranks
  same_losses 1e-4 || fail "lora: the losses on $ranks ranks differ from those on one"
done

# A run that does not get there says so.
# shellcheck disable=SC2086
run 2 pretrain $tiny --target 0.5 --max-steps 8
[ "$code" = 1 ] || fail "a target that isn't reached: exit code $code"
grep -q '"key": "run_stop".*"status": "aborted"' out || fail "not aborted"
grep -q '^mlperf: the target was not reached in 8 steps$' err || fail "no reason"
# shellcheck disable=SC2086
run 2 pretrain $tiny --target 0.5 --max-steps 6
[ "$(losses | cut -d' ' -f1 | tr '\n' ' ')" = "32 48 " ] || fail "the last step isn't evaluated"
# shellcheck disable=SC2086
run 2 pretrain $tiny --target 0.5 --max-steps 100000 --max-seconds 0.2
[ "$code" = 1 ] || fail "a run without an end: exit code $code"
grep -q '"key": "run_stop".*"status": "aborted"' out || fail "not aborted after its time"
# shellcheck disable=SC2086
run 2 pretrain $tiny --rate 10 --target 0.5 --max-steps 400
[ "$code" = 1 ] || fail "a training that diverges: exit code $code"

# A BLAS that returns one wrong entry is found out before anything is trained, and a message that one rank
# gets wrong while it trains.
cat >wrong.c <<'C'
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
void cblas_sgemm(int o, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
  void (*right)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int) =
      dlsym(RTLD_NEXT, "cblas_sgemm");
  right(o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (getenv("WRONG_BLAS")) c[n / 2] += 1e-2f;
}
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static int calls = 0;
  int rank = 0;
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  MPI_Comm_rank(comm, &rank);
  if (getenv("WRONG_MESSAGE") && type == MPI_FLOAT && rank == 1 && ++calls == 3) ((float*)buffer)[count / 2] += 1e-3f;
  return code;
}
C
if plants wrong "wrong products and messages fail"; then
  loaded=$more
  # shellcheck disable=SC2086
  run 2 pretrain $tiny --seed 3 --target 3.3 --max-steps 160
  [ "$code" = 0 ] || fail "the wrapper alone does harm: exit code $code"
  more="$loaded -x WRONG_BLAS=1"
  # shellcheck disable=SC2086
  run 2 pretrain $tiny --seed 3 --target 3.3 --max-steps 160
  [ "$code" = 1 ] || fail "a wrong product: exit code $code"
  grep -q '^Verification: FAILED ' out || fail "a wrong product passes"
  [ "$(event run_start)" = 0 ] || fail "trained with wrong products"
  more="$loaded -x WRONG_MESSAGE=1"
  # shellcheck disable=SC2086
  run 2 pretrain $tiny --seed 3 --target 3.3 --max-steps 160
  [ "$code" = 1 ] || fail "a wrong message: exit code $code"
  grep -q "^mlperf: the ranks' copies of the model differ" err || fail "a wrong message passes"
  grep -q '"key": "run_stop".*"status": "aborted"' out || fail "a wrong message: not aborted"
  more=
fi

reported() { [ "$(event run_start)" != 0 ]; }
refuses "name what to train: pretrain or lora" 2
refuses "'train' is neither pretrain nor lora" 2 train
refuses "unknown option '--batches'" 2 pretrain --batches 3
refuses "--batch needs a value" 2 pretrain --batch
refuses "--batch must be a whole number from 1 to 1000000, but is '0'" 2 pretrain --batch 0
refuses "--batch must be a whole number from 1 to 1000000, but is '3x'" 2 pretrain --batch 3x
refuses "--seed must be a whole number from 1 to 1000000000000, but is '-1'" 2 pretrain --seed -1
refuses "--target must be a number from 0.001 to 100, but is 'nan'" 2 pretrain --target nan
refuses "--batch 1 gives 2 ranks less than one sample each" 2 pretrain --batch 1
refuses "--width 10 does not divide among --heads 4" 2 pretrain --width 10
refuses "--eval-every 100 is no multiple of --batch 32: evaluations come between whole steps" 2 pretrain --eval-every 100
refuses "--train-samples 8 are less than one --batch of 32" 2 pretrain --train-samples 8
refuses "--decay-steps 20 must be more than --warmup 20" 2 pretrain --decay-steps 20
refuses "a model of 200 layers of width 16384 has more than 1e9 parameters" 2 pretrain --layers 200 --width 16384
refuses "the model and 10000 samples at a time don't fit in memory" 2 pretrain --context 4096 --width 4096 --micro-batch 10000
refuses "--load is for lora: pretrain begins with random weights" 2 pretrain --load weights
refuses "--rank is for lora: pretrain has no adapters" 2 pretrain --rank 3
refuses "lora saves the weights that it pretrains itself: --save and --load exclude each other" 2 lora --save a --load b
hints=0 # these have their way out in the sentence
refuses "can't read the checkpoint 'none': No such file or directory" 2 lora --load none
# shellcheck disable=SC2086
refuses "the checkpoint 'weights' is of another model or grammar" 2 lora $tiny --width 32 --load weights
cp weights damaged
printf 'x' | dd of=damaged bs=1 seek=400 conv=notrunc 2>/dev/null
# shellcheck disable=SC2086
refuses "the checkpoint 'damaged' is damaged: the hash of its weights is " 2 lora $tiny --load damaged
head -c 1000 weights >damaged
# shellcheck disable=SC2086
refuses "the checkpoint 'damaged' is damaged: it holds " 2 lora $tiny --load damaged
refuses "'$LIBEXEC/mlperf' is no checkpoint of this program" 2 lora --load "$LIBEXEC/mlperf"

# shellcheck disable=SC2086
run 2 pretrain $tiny --target 99 --max-steps 8 --save /no/such/folder/weights
[ "$code" = 2 ] || fail "weights that can't be written: exit code $code"
grep -qF "mlperf: can't write the checkpoint '/no/such/folder/weights': No such file or directory" err || fail "no reason"

prints_help
exit 0
