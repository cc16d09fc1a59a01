#!/bin/sh
# The same as tests/cli/kills_test.sh on four nodes of a batch system.
. "$(dirname -- "$0")/campaigns.sh"
. "$(dirname -- "$0")/../cli/kills.sh"
slurm_of 4
ids="free-1 free-2 free-3 free-4 free-5 free-6 bound-1 bound-2 bound-3 bound-4"

begin() {
  set --
  for id in $ids; do
    case $id in
      bound-*) where='"placement":"bound"' host=cn${id#bound-} ;;
      *) where='"among":"cn[1-4]"' host=cn1 ;;
    esac
    set -- "$@" "$(case_of "$id" 1 "$host" "sh $T/program.sh $id $W.notes 0.5" "$where,\"time_limit_s\":60")"
  done
  plan "$T/plan.json" "$@"
  "$SHAKEDOWN" run --plan "$T/plan.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$W" --progress none >>"$W.out" 2>&1 &
}
continue_it() { "$SHAKEDOWN" resume -w "$W" --progress none >>"$W.out" 2>&1 & }

campaigns_until_killed 8 2
check "wrappers were killed, too" [ "$killed_wrappers" -gt 0 ]
finish
