# Sourced by the benchmarks on a Slurm of virtual nodes: the same steps as a campaign's without shakedown.

# idle NODES: waits until all of them are.
idle() { until [ "$(sinfo -h -t idle -o %D | awk '{ n += $1 } END { print n + 0 }')" = "$1" ]; do sleep 0.05; done; }

# bare NODES EACH WORDS: one job of cn1 to cnNODES; on each of them EACH steps of a shell line, one after the other.
bare() {
  { echo '#!/bin/sh'
    for node in $(seq "$1"); do
      printf '( for i in $(seq %d); do srun --nodes=1 --ntasks=1 --nodelist=cn%d --cpus-per-task=2 --mem=0 --overlap --kill-on-bad-exit=1 --cpu-bind=none --mpi=none --input=none sh -c "%s" >"%s/out.%d.$i"; done ) &\n' \
        "$2" "$node" "$3" "$T" "$node"
    done
    printf 'wait\n: >"%s/bare-ended"\n' "$T"; } >"$T/bare.sh"
  rm -f "$T/bare-ended"
  sbatch --exclusive --nodes="$1" --mem=0 --output=/dev/null "$T/bare.sh" >/dev/null
  until [ -e "$T/bare-ended" ]; do sleep 0.02; done  # `sbatch --wait` looks every 2 to 32 s only
}
