#!/bin/sh
# The completion script in bash: commands, options, and the values that options and arguments take.
. "$(dirname -- "$0")/check.sh"
command -v bash >/dev/null || { echo "SKIPPED: no bash here"; exit 77; }
cd "$T" || exit 1
mkdir -p shakedown-runs/campaigns/2026-11-24T00-00-00Z-here other/campaigns/2026-11-25T00-00-00Z-there
echo 'title = "T"' >mine.toml

# completes NAME WORDS EXPECTED: WORDS with the last one completed offer EXPECTED ("-x": they don't offer x).
completes() {
  bash -c '
    source <("$SHAKEDOWN" completion bash)
    COMP_WORDS=("$SHAKEDOWN" '"$2"')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _shakedown
    printf "%s\n" "${COMPREPLY[@]}"' >offered 2>errors
  for word in $3; do
    case "$word" in
      !*) check "$1: not ${word#!}" sh -c "! grep -qxF -- '${word#!}' offered" ;;
      *) check "$1: $word" grep -qxF -- "$word" offered ;;
    esac
  done
  check "$1: no complaint" [ ! -s errors ]
}

completes commands "''" "plan init report inventory"
completes "beginning of a command" "pl" "plan !init"
completes options "plan --" "--suite --config --json !--reason"
completes "subcommands" "inventory ''" "discover show check diff"
completes "suites" "plan --suite ''" "hpl hpcg hpl-mxp io500 mlperf"
completes "suites of init" "init --suite hp" "hpl hpcg hpl-mxp !mlperf"
completes "implementations" "plan --implementation ''" "netlib nvidia reference"
completes "shipped systems" "plan --inventory ''" "sakuraone alps-a100 mine.toml"
completes "systems to show" "inventory show ''" "sakuraone mine.toml"
completes "templates" "run --config ''" "acceptance-h100 sakuraone mine.toml"
completes "templates of init" "init --from ''" "acceptance-h100 sakuraone !mine.toml"
completes "criteria" "run --criteria ''" "quick"
completes "campaigns" "report ''" "2026-11-24T00-00-00Z-here"
completes "the second campaign" "compare 2026-11-24T00-00-00Z-here ''" "2026-11-24T00-00-00Z-here"
completes "campaigns of a workspace" "report -w other ''" "2026-11-25T00-00-00Z-there !2026-11-24T00-00-00Z-here"
completes "formats" "report --format ''" "html json"
completes "schedulers" "run --scheduler ''" "slurm local pbs"
completes "kinds of files" "list --keys ''" "acceptance regression all"
completes "colours" "plan --color ''" "always never"
finish
