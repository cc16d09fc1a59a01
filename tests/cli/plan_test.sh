#!/bin/sh
# The published configurations come out of SAKURAONE's inventory; what can't be planned is refused with its rule.
. "$(dirname -- "$0")/check.sh"

planned() { # exit code, suite, nodes, options...
  want=$1 suite=$2 count=$3
  shift 3
  exits "$suite on $count nodes" "$want" "$SHAKEDOWN" plan --inventory sakuraone --suite "$suite" --nodes "$count" --json "$@"
}
# The value of a parameter of the case whose id is given, from the indented document.
value() { # case id, parameter
  sed -n "/\"id\": \"$1\"/,/\"why\"/p" "$T/out" | sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" | head -n 1
}
holds() { # case id, name=value...
  id=$1
  shift
  for pair in "$@"; do
    check "$id: $pair" [ "$(value "$id" "${pair%%=*}")" = "${pair#*=}" ]
  done
}

planned 0 hpl 98 --implementation nvidia
holds hpl-nvidia-98n N=2706432 NB=1024 P=16 Q=49

planned 0 hpl-mxp 96 --implementation nvidia
holds hpl-mxp-nvidia-96n N=2989056 NB=4096 P=24 Q=32 precision=FP16

planned 0 hpcg 98 --implementation nvidia
holds hpcg-nvidia-98n npx=8 npy=7 npz=14 nx=512 ny=512 nz=272 gnx=4096 gny=3584 gnz=3808

# Tables 9 and 11: nodes DP TP PP VP GBS MBS.
while read -r nodes DP TP PP VP GBS MBS; do
  planned 0 mlperf "$nodes" --implementation nvidia
  holds "mlperf-nvidia-gpt3-${nodes}n" DP="$DP" TP="$TP" PP="$PP" VP="$VP" GBS="$GBS" MBS="$MBS" gpus=$((nodes * 8))
done <<TABLE
32 4 4 16 6 1024 2
64 8 4 16 6 1536 2
96 6 8 16 6 2304 6
TABLE
while read -r nodes DP TP CP GBS; do
  planned 0 mlperf "$nodes" --implementation nvidia
  holds "mlperf-nvidia-llama2_70b_lora-${nodes}n" DP="$DP" TP="$TP" CP="$CP" GBS="$GBS" gpus=$((nodes * 8))
done <<TABLE
1 2 4 1 8
8 8 4 2 8
64 64 4 2 64
96 96 4 2 96
TABLE
# Scales between the published ones: batches that divide.
for scale in "40 gpt3 GBS=1600" "80 gpt3 GBS=1920" "3 llama2_70b_lora GBS=9" "7 llama2_70b_lora GBS=14"; do
  set -- $scale
  planned 0 mlperf "$1" --implementation nvidia
  holds "mlperf-nvidia-$2-$1n" "$3"
done
planned 0 mlperf 8 --implementation nvidia
says "GPT-3 on 8 nodes exceeds the GPUs' memory" '"rule": "memory"'
planned 0 mlperf 1 --implementation nvidia
says "GPT-3 does not fit one node" '"rule": "ML-09"'

for nodes in 10 96; do
  planned 0 io500 "$nodes" --implementation official
done

planned 2 hpcg 97 --implementation nvidia
says "776 ranks give no shape, and the next good count is named" "96 nodes"
planned 2 hlp 4
says "an unknown suite: the right one is named" "did you mean 'hpl'?"

exits "the shipped campaign is planned whole" 0 "$SHAKEDOWN" plan --config sakuraone --json
check "with its cases" [ "$(grep -c '"suite": "[a-z0-9-]*",$' "$T/out")" = 12 ]
holds hpl-mxp-nvidia-96n N=2989056 NB=4096 P=24 Q=32 precision=FP8
says "through srun and Pyxis" "--container-image=/lustre/acceptance/images/hpc-benchmarks-25.04.sqsh"
says "with the fabric's variables" '"NCCL_IB_GID_INDEX": 3'
says "and the HCA of each GPU" "mlx5_0,mlx5_1,mlx5_2,mlx5_4,mlx5_5,mlx5_6,mlx5_7,mlx5_11"
says "and its cost" '"node_hours"'
exits "and as text" 0 "$SHAKEDOWN" plan --config sakuraone
says "with its number of cases" "Cost      12 cases · "

config() { printf '%s\n' "$@" >"$T/acceptance.toml"; }
refused() { # what, words of the message
  exits "$1 is refused" 2 "$SHAKEDOWN" plan --config "$T/acceptance.toml"
  says "$1: the message" "$2"
}
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpl"' 'implementation = "nvidia"' 'nodes = [98]' '[runs.pins]' 'P = 28' 'Q = 29'
refused "a pinned grid of other ranks" "the pinned grid 28 x 29 has 812 cells for 784 ranks"
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpl"' 'implementation = "nvidia"' 'nodes = [98]' '[runs.pins]' 'N = 4000000'
refused "a pinned N beyond the memory" "the pinned N = 4000000 needs"
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpl"' 'implementation = "nvidia"' 'nodes = [1]' '[runs.pins]' 'N = 1000' 'NB = 2000'
refused "NB above N" "NB = 2000 is larger than the pinned N = 1000"
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpl"' 'nodes = [1]' '[runs.pins]' 'NBB = 2'
refused "a pin of no parameter" "did you mean 'NB'?"
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpl"' 'nodes = [101]'
refused "more nodes than there are" "101 nodes asked for, 100 there"

config 'system = "sakuraone"' '[site]' 'launcher = "srunn"' '[[runs]]' 'suite = "hpl"' 'nodes = [4]'
refused "a misspelled launcher" "$T/acceptance.toml:3: no launcher 'srunn' (did you mean 'srun'?)"
config 'system = "sakuraone"' '[[runs]]' 'suite = "hpcg"' 'implementation = "nvidia"' 'nodes = [98]' '[runs.pins]' 'npx = 8' 'npy = 8' 'npz = 8'
refused "a pinned HPCG grid of other ranks" "the pinned npx x npy x npz = 8 x 8 x 8 = 512, but the case has 784 ranks"
says "and the way out" "change the pin or drop it: HPCG's own grid is 8 x 7 x 14"

exits "IO500's arithmetic" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite io500 --implementation official --nodes 100 --explain
says "names the part of the space that it takes" "5.0 % of 1.78 PiB, the size of 'lustre'"
says "and whose rates it takes" "the rate is that of 96 nodes"

: >"$T/empty.toml"
exits "an empty inventory is refused" 2 "$SHAKEDOWN" plan --inventory "$T/empty.toml"
exits "a misspelled system is refused" 2 "$SHAKEDOWN" plan --inventory sakuraon
says "and the right one is named" "did you mean 'sakuraone'?"
finish
