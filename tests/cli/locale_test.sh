#!/bin/sh
# Signs beyond ASCII are written for a UTF-8 locale only; documents are the same in every locale.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
plain() { env -u LC_ALL -u LC_CTYPE -u LANG "$@"; }
LINE='sleep 1.2'
plan_of case.json one
sed 's/"id":"one"/"id":"one","predicted":{"wall_time_s":{"value":5,"low":4,"high":9}}/' case.json >plan.json

exits "plan in no locale" 0 plain "$SHAKEDOWN" plan --suite gemm
says "is in ASCII" " - 1 node"
check "throughout" sh -c '! LC_ALL=C grep -q "[^ -~]" out'
exits "plan under LC_ALL=C" 0 plain env LC_ALL=C LANG=de_DE.UTF-8 "$SHAKEDOWN" plan --suite gemm
says "too, whatever LANG says" " - 1 node"
exits "plan in a UTF-8 locale" 0 plain env LANG=C.UTF-8 "$SHAKEDOWN" plan --suite gemm
says "has its signs" " · 1 node"
exits "an inventory in no locale" 0 plain "$SHAKEDOWN" inventory show
check "is in ASCII" sh -c '! LC_ALL=C grep -q "[^ -~]" out'

exits "a bar in no locale" 3 plain env TERM=xterm "$SHAKEDOWN" run --here --plan plan.json -w ascii --progress bar
says "is of ASCII" "####"
exits "compare in no locale" 3 plain "$SHAKEDOWN" compare -w ascii
check "is in ASCII" sh -c '! LC_ALL=C grep -q "[^ -~]" out'
exits "a bar in a UTF-8 locale" 3 plain env TERM=xterm LC_CTYPE=C.UTF-8 "$SHAKEDOWN" run --here --plan plan.json -w utf8 --progress bar
says "is drawn" "━━━━"
finish
