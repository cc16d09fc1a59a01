#!/bin/sh
# The wrapper of an attempt is killed (SIGKILL, as by the kernel when memory is short): what its program had started is
# ended before anything else runs, whatever session it made for itself, and nothing else is.
. "$(dirname -- "$0")/check.sh"
WRAPPER=$LIBEXEC/attempt
MARK=orphan-$$
until_true() { # SECONDS COMMAND...
  left=$(($1 * 20))
  shift
  while [ "$left" -gt 0 ]; do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.05
    left=$((left - 1))
  done
  return 1
}
wrapper_of() { sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$1/started.json"; }
ended_count() { sed -n 's/.*"orphans_ended":\([0-9]*\).*/\1/p' "$1/finished.json"; }
alive_count() { sed -n 's/.*"orphans_alive":\([0-9]*\).*/\1/p' "$1/finished.json"; }
# started.json is there, and the program has begun.
killed() { # FOLDER: kills the wrapper of the attempt there
  until_true 20 test -s "$1/stdout.log" || { echo "FAIL  $1 did not begin"; exit 1; }
  kill -9 "$(wrapper_of "$1")"
}

# --- A campaign. Each program notes whether one of the others runs; the first leaves three behind: in a session of its
# own, one beside it, and a daemon that does not end by SIGTERM.
cat >"$T/program" <<P
#!/bin/sh
echo begin
pgrep -f "^$MARK" >"\$PWD/beside" || true
[ "\$1" = leaves ] && [ ! -e "$T/left" ] || { echo x >>../ends; exit 0; }
touch "$T/left"
setsid $MARK 300 &
$MARK 300 &
(setsid sh -c 'trap "" TERM; exec $MARK 300.9' &)
exec sleep 60
P
mkdir "$T/bin"
cp "$(command -v sleep)" "$T/bin/$MARK"
chmod +x "$T/program"
PATH=$T/bin:$PATH
LINE="$T/program leaves"
plan_of "$T/plan.json" first
LINE="$T/program stays"
plan_of "$T/second.json" second
python3 - "$T" <<'P'
import json, sys
t = sys.argv[1]
plan, second = (json.load(open(f"{t}/{n}.json")) for n in ("plan", "second"))
plan["cases"] += second["cases"]
json.dump(plan, open(f"{t}/plan.json", "w"))
P
"$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/w" --progress plain >"$T/run.out" 2>&1 &
pid=$!
until_true 20 sh -c "[ \$(pgrep -fc '^$MARK') = 3 ]"
first=$(echo "$T"/w/campaigns/*/first)
killed "$first/attempt-1"
wait $pid
cp "$T/run.out" "$T/out"
: >"$T/err"
ended_all() { grep -qE 'wrapper killed; [34] leftover processes ended' "$T/out" "$T/err"; }  # the program's shell may be faster
check "the retry is told what became of them" ended_all
check "nothing ran beside the retry" [ ! -s "$first/attempt-2/beside" ]
check "nor beside the next case" [ ! -s "$(dirname "$first")/second/attempt-1/beside" ]
check "each came to its end once" [ "$(cat "$first/ends" "$(dirname "$first")/second/ends" | grep -c x)" = 2 ]
check "nothing is left" sh -c "! pgrep -f '^$MARK'"

# --- The orchestrator is killed with it: the next one ends what is left.
rm -f "$T/left"
"$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/both" --progress plain >"$T/run.out" 2>&1 &
pid=$!
until_true 20 sh -c "[ \$(pgrep -fc '^$MARK') = 3 ]"
kill -9 $pid
killed "$(echo "$T"/both/campaigns/*/first)/attempt-1"
wait $pid 2>/dev/null
exits "resume" 3 "$SHAKEDOWN" resume --here -w "$T/both" --progress plain
check "resume ends them" ended_all
check "before the retry" [ ! -s "$(echo "$T"/both/campaigns/*/first)/attempt-2/beside" ]

# --- The wrapper alone, as a batch system's job starts one attempt after the other.
attempt() { mkdir -p "$T/c/x/attempt-$1"; "$WRAPPER" --folder "$T/c/x/attempt-$1" --grace 1 -- sh -c "$2"; }
attempt 1 "setsid $MARK 300 & echo begun; exec sleep 60" &
killed "$T/c/x/attempt-1"
wait
attempt 2 "pgrep -f '^$MARK'; true"
check "the next wrapper ends it" [ "$(ended_count "$T/c/x/attempt-2") $(alive_count "$T/c/x/attempt-2")" = "1 0" ]
check "before its program" [ ! -s "$T/c/x/attempt-2/stdout.log" ]

# What is not proved to be left of a dead wrapper stays: one whose wrapper lives, one of another boot or namespace, and
# one that took the pid that a wrapper had.
attempt 3 "setsid $MARK 300 & echo begun; exec sleep 60" &
until_true 20 pgrep -f "^$MARK"
origin=$(tr '\0' '\n' <"/proc/$(pgrep -f "^$MARK" | head -n 1)/environ" | sed -n 's/^SHAKEDOWN_ATTEMPT=//p')
check "a process of an attempt says which" [ "${origin##*:}" = "$T/c/x/attempt-3" ]
boot=${origin%%:*}
space=$(echo "$origin" | cut -d : -f 2)
SHAKEDOWN_ATTEMPT="00000000-0000-0000-0000-000000000000:$space:4000000:1:$T/c/x/attempt-9" "$MARK" 300.1 &
SHAKEDOWN_ATTEMPT="$boot:1/1:4000000:1:$T/c/x/attempt-9" "$MARK" 300.2 &
"$MARK" 300.3 &
SHAKEDOWN_ATTEMPT="$boot:$space:1:1:$T/c/x/attempt-9" "$MARK" 300.4 &
until_true 20 sh -c "[ \$(pgrep -fc '^$MARK') = 5 ]"
attempt 4 "pgrep -fa '^$MARK'; true"
check "one of a pid that another process has now is ended" [ "$(ended_count "$T/c/x/attempt-4")" = 1 ]
for kept in "300.1 of another boot" "300.2 of another container" "300.3 of no attempt"; do
  check "kept: ${kept#* }" grep -q "${kept%% *}" "$T/c/x/attempt-4/stdout.log"
done
check "kept: one whose wrapper lives" [ "$(grep -c . "$T/c/x/attempt-4/stdout.log")" = 4 ]
kill -TERM "$(wrapper_of "$T/c/x/attempt-3")"
until_true 20 test -e "$T/c/x/attempt-3/finished.json"
kill $(pgrep -f "^$MARK")

# One that executes one program after the other has no environment at moments.
printf '#!/bin/sh\nexec "$0"\n' >"$T/execs"
chmod +x "$T/execs"
found=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  SHAKEDOWN_ATTEMPT="$boot:$space:4000000:1:$T/c/x/attempt-9" "$T/execs" &
  until_true 20 grep -qsa "attempt-9" "/proc/$!/environ"  # it has begun to execute
  "$WRAPPER" --end-orphans | grep -q '"orphans_ended":1,' && found=$((found + 1))
  kill -9 $! 2>/dev/null
done
wait
check "one that executes another program just now is ended" [ "$found" = 20 ]

# A batch system may send USR1 and USR2 to all of a job: the wrapper ignores them, its program does not.
attempt 12 'echo begun; sleep 1; kill -USR1 $$; sleep 60' &
until_true 20 test -s "$T/c/x/attempt-12/stdout.log"
kill -USR1 "$(wrapper_of "$T/c/x/attempt-12")"
kill -USR2 "$(wrapper_of "$T/c/x/attempt-12")"
wait
check "a wrapper outlives USR1 and USR2, and its program does not" grep -q '"state":"finished","signal":10,' "$T/c/x/attempt-12/finished.json"

# Ranks on other nodes of a Slurm job: there the wrapper's life can't be seen, but a job runs one attempt after the other.
other=00000000-0000-0000-0000-000000000000:9/9:1:1
rank() { SHAKEDOWN_ATTEMPT="$other:$T/c/x/attempt-$1" SLURM_JOB_ID=$2 SLURMD_NODENAME=$3 "$MARK" "300.$1$2" "0.${3#cn}" & }
rank 1 77 cn2
rank 2 77 cn2
rank 1 78 cn2
rank 1 77 cn3
until_true 20 sh -c "[ \$(pgrep -fc '^$MARK') = 4 ]"
SHAKEDOWN_ATTEMPT="$other:$T/c/x/attempt-2" SLURM_JOB_ID=77 SLURMD_NODENAME=cn2 "$WRAPPER" --end-orphans >"$T/orphans"
check "a rank of the attempt before is ended" grep -q '"orphans_ended":1,"orphans_alive":0' "$T/orphans"
check "those of this one, of other jobs and of other nodes stay" [ "$(pgrep -fc "^$MARK (300.277 0.2|300.178 0.2|300.177 0.3)")" = 3 ]
kill $(pgrep -f "^$MARK")

# What can't be ended there is a neighbour of what runs, though it keeps no core busy.
mkdir "$T/node"
cp "$LIBEXEC/node-state" "$T/node"
printf '#!/bin/sh\necho %s\nexit 1\n' "'{\"orphans_ended\":0,\"orphans_alive\":1,\"orphans\":[{\"pid\":41,\"uid\":0,\"command\":\"xhpl\",\"attempt\":\"gemm/attempt-1\"}]}'" >"$T/node/attempt"
chmod +x "$T/node/attempt"
for when in before after; do SHAKEDOWN_ATTEMPT="$other:$T/c/x/attempt-2" "$T/node/node-state" --folder "$T/node" $when; done
check "an idle one on another node is a neighbour" grep -q '"job": "orphan of gemm/attempt-1"' "$T"/node/node-*.json

# Without the wrapper the plain script does the same.
for k in 1 2; do
  mkdir -p "$T/c/plain/attempt-$k"
  sed "s|^if \[ \"\$shakedown_mode\" = --attempt \] && \[ -x .* \]; then|if false; then|" "$first/attempt-2/job.sh" |
    sed "s|^ .*program' leaves.*| sh -c 'setsid $MARK 300 \& echo begun; exec sleep 60'|; s|^ .*program leaves.*| sh -c 'setsid $MARK 300 \& echo begun; exec sleep 60'|" >"$T/c/plain/attempt-$k/job.sh"
done
sed -i "s|setsid $MARK 300 & echo begun; exec sleep 60|pgrep -f ^$MARK; true|" "$T/c/plain/attempt-2/job.sh"
sh "$T/c/plain/attempt-1/job.sh" --attempt &
killed "$T/c/plain/attempt-1"
pkill -9 -P "$(wrapper_of "$T/c/plain/attempt-1")" 2>/dev/null
wait
until_true 20 pgrep -f "^$MARK"
sh "$T/c/plain/attempt-2/job.sh" --attempt
check "the plain script ends it" [ ! -s "$T/c/plain/attempt-2/stdout.log" ]
check "and says that none is left" [ "$(alive_count "$T/c/plain/attempt-2")" = 0 ]

# --- Control groups hold what has forgotten where it comes from. One that can't be ended is waited for, and named.
groups=
for folder in /sys/fs/cgroup/unified /sys/fs/cgroup; do [ -n "$groups" ] || { [ -e $folder/cgroup.controllers ] && groups=$folder/shakedown-test-$$; }; done
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
if [ "$(id -u)" = 0 ] && [ -n "$groups" ] && mkdir "$groups" 2>/dev/null; then
  trap 'for each in $(cat "$groups/cgroup.procs"); do echo "$each" >"${groups%/*}/cgroup.procs"; done 2>/dev/null; rmdir "$groups"/*/ "$groups" 2>/dev/null; rm -rf "$T"' EXIT
  echo $$ >"$groups/cgroup.procs"
  attempt 5 "env -i $(command -v setsid) $T/bin/$MARK 300 & echo begun; exec sleep 60" &
  killed "$T/c/x/attempt-5"
  wait
  check "it has forgotten where it comes from" sh -c "! tr '\\0' '\\n' </proc/\$(pgrep -f '^$T/bin/$MARK' | head -n 1)/environ | grep -q SHAKEDOWN"
  attempt 6 "pgrep -f '^$T/bin/$MARK'; true"
  check "its control group knows it" [ "$(ended_count "$T/c/x/attempt-6") $(alive_count "$T/c/x/attempt-6")" = "1 0" ]
  check "and is gone" [ -z "$(find "$groups" -mindepth 1 -type d)" ]
  chmod 755 "$T"
  if as_nobody test -x "$WRAPPER" 2>/dev/null; then
    # Delegated to another user, in whose attempt something of root's runs.
    mkdir -p "$T/c/x/attempt-7" "$T/c/x/attempt-8"
    chown 65534 "$groups" "$groups/cgroup.procs" "$T/c/x/attempt-7" "$T/c/x/attempt-8"
    as_nobody "$WRAPPER" --folder "$T/c/x/attempt-7" --grace 1 -- sh -c 'echo begun; exec sleep 60' &
    until_true 20 test -s "$T/c/x/attempt-7/stdout.log"
    "$MARK" 300 &
    of_root=$!
    echo "$of_root" >"$(echo "$groups"/shakedown-*)/cgroup.procs"
    killed "$T/c/x/attempt-7"
    begin=$(date +%s)
    as_nobody "$WRAPPER" --folder "$T/c/x/attempt-8" --grace 1 -- true
    check "what can't be ended is waited for, and no longer than that" [ $(($(date +%s) - begin)) -le 16 ]
    check "and named" grep -q "\"orphans_alive\":1,\"orphans\":\[{\"pid\":$of_root,\"uid\":0,\"command\":\"$MARK\"" "$T/c/x/attempt-8/finished.json"
    kill "$of_root"
    wait
  fi
  echo $$ >"${groups%/*}/cgroup.procs"
else
  echo "note: no control group can be made here: attempts have none of their own"
fi

# --- Where a user may make none, systemd gives each attempt a scope, but in login sessions alone: elsewhere a scope
# would leave the limits of a batch system or container. Nearest thing here: a systemd-run that notes its words and
# executes the command, and a control group of a session's name.
cat >"$T/bin/systemd-run" <<S
#!/bin/sh
echo "\$@" >>"$T/scopes"
while [ "\${1#--}" != "\$1" ]; do shift; done
exec "\$@"
S
chmod +x "$T/bin/systemd-run"
# scopes NAME: what a user's run notes of scopes
scopes() {
  mkdir -m 777 "$T/$1"
  : >"$T/scopes"
  chmod 666 "$T/scopes"
  exits "a user without control groups ($1)" 3 $user env HOME="$T/$1" "$SHAKEDOWN" run --here --plan "$T/quick.json" -w "$T/$1/w" --progress none
}
may_make='for each in /sys/fs/cgroup/unified /sys/fs/cgroup; do own=$each$(sed -n s/^0:://p /proc/self/cgroup); [ -w "$own/cgroup.procs" ] && exit 0; done; exit 1'
if [ "$(id -u)" != 0 ] || as_nobody test -x "$SHAKEDOWN" 2>/dev/null; then
  chmod 755 "$T"
  LINE=true
  plan_of "$T/quick.json" one
  [ "$(id -u)" = 0 ] && user=as_nobody || user=env
  scopes outside
  if $user sh -c "$may_make" || ! grep -q '^0::/user\.slice/' /proc/self/cgroup; then
    check "who may make control groups, or is in no session, gets no scope" [ ! -s "$T/scopes" ]
  else
    check "gets a scope for each attempt" grep -q -- "^--scope --quiet --collect --user [^ ]*/attempt --folder [.] " "$T/scopes"
  fi
  session=${groups%/*}/user.slice
  had=$([ -e "$session" ] && echo yes)
  if [ -n "$groups" ] && [ -z "$had" ] && mkdir "$session" "$session/session" 2>/dev/null; then
    echo $$ >"$session/session/cgroup.procs"
    scopes session
    echo $$ >"${groups%/*}/cgroup.procs"
    rmdir "$session/session" "$session"
    check "in a session each attempt gets one" grep -q -- "^--scope --quiet --collect --user [^ ]*/attempt --folder [.] " "$T/scopes"
  fi
fi
finish
