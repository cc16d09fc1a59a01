#!/bin/sh
# Checks that end before their time: cut short and too old to go on with, or without the lock that they were made under.
. "$(dirname -- "$0")/checks.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
printf '#!/bin/sh\ncat >>%s/told\n' "$T" >teller
chmod +x teller
notify="[notify]\ncommand = [\"$T/teller\"]\n"
# regress CONFIG WORKSPACE [OPTION...]
regress() {
  config=$1 workspace=$2
  shift 2
  "$SHAKEDOWN" regress --here --config "$config" -w "$workspace" --progress none "$@"
}
# The program of a check sleeps.
began() {
  for _ in $(seq 400); do [ -e sleeping ] && ls "$1"/campaigns/*/gemm-*/attempt-1/started.json >/dev/null 2>&1 && break; sleep 0.05; done
  rm -f sleeping
}
# cut_short WORKSPACE CONFIG: a check that is killed in its first run, which ends without it.
cut_short() {
  echo 5 >takes
  "$SHAKEDOWN" regress --here --config "$2" -w "$1" --progress none >/dev/null 2>&1 &
  began "$1"
  kill -9 $!
  wait $! 2>/dev/null
  rm takes
  for _ in $(seq 400); do ls "$1"/campaigns/*/gemm-*/attempt-1/finished.json >/dev/null 2>&1 && break; sleep 0.05; done
}
# older WORKSPACE HOURS: the first check was begun that long ago.
older() {
  python3 - "$1" "$2" <<'P'
import glob, json, sys
file = sorted(glob.glob(sys.argv[1] + "/campaigns/*/campaign.json"))[0]
d = json.load(open(file))
d["created_s"] -= 3600 * float(sys.argv[2])
json.dump(d, open(file, "w"))
P
}
# checks_per_week = 7: two intervals are 48 hours.
config r.toml "$notify"
cut_short young r.toml
older young 47
exits "a check that was cut short less than two intervals ago" 0 regress r.toml young
says "is resumed" "resumes the interrupted check "
check "there is no other" [ "$(ls -d young/campaigns/* | wc -l)" = 1 ]
cut_short old r.toml
older old 49
rm -f told
exits "one that was cut short longer ago, with runs to make" 0 regress r.toml old
check "is abandoned" grep -q '^abandoned: check .*: it was interrupted on ' "$T/err"
says "since its runs would be of two times" "it is still incomplete, and two more checks were due since"
first=$(ls -d old/campaigns/* | head -n 1)
check "it is undecided" [ "$(value "$first/regression.json" 'd["exit_code"]')" = 3 ]
check "which is told" grep -q '"sentence": "regression check: undecided: abandoned: it was interrupted on ' told
check "its runs are values of no series" grep -q '"left_out":\["\*"\]' old/regression.jsonl
check "a new check was made" [ "$(ls -d old/campaigns/* | wc -l)" = 2 ]
exits "the next one" 0 regress r.toml old
check "asks nothing of it" sh -c "! grep -q abandoned '$T/err'"
exits "its report" 0 "$SHAKEDOWN" report -w old
verdict=$(ls -d old/campaigns/* | tail -n 1)/regression.json
sed -i 's/"sentence": *"/&edited /' "$verdict"
exits "where its verdict was edited" 4 "$SHAKEDOWN" report -w old
says "is refused" "regression.json: is not the verdict that the scheduled check came to"
says "with the way out" "put back the file with SHA-256 "
sed -i '/"event":"verdict"/d' "$(dirname "$verdict")/journal.jsonl"
exits "one of an older version, which journaled no hash" 0 "$SHAKEDOWN" report -w old
cut_short whole r.toml
exits "a check all of whose runs are made" 0 regress r.toml whole
rm whole/campaigns/*/regression.json
check "its line is in the log" grep -q '"event":"check"' whole/regression.jsonl
sed -i '/"event":"check"/d' whole/regression.jsonl
older whole 1000
exits "and that was cut short before its verdict, however long ago" 0 regress r.toml whole
says "comes to it" "resumes the interrupted check "
config first.toml "$notify[[floor.limits]]\nsuite = \"gemm\"\nmetric = \"fp64_gflops\"\nlimit = 1000\n"
cut_short heirs first.toml
sed 's/told$/heirs.told/' teller >heir
chmod +x heir
sed "s|$T/teller|$T/heir|" first.toml >heirs.toml
rm -f told
exits "a check that goes on when others are to be told" 1 regress heirs.toml heirs
check "is told to these" grep -q "below the contract's floor" heirs.told
check "and to nobody else" [ ! -e told ]

# A batch system of this machine alone. While there is a file "hold" its jobs wait.
cat >q <<'S'
#!/bin/sh
T=$(dirname "$0")
case $1 in
  submit)
    n=$(($(cat "$T/last" 2>/dev/null || echo 0) + 1))
    echo $n >"$T/last"
    if [ -e "$T/hold" ]; then
      echo PD >"$T/job.$n"
    else
      { sh "$2"; rm "$T/job.$n"; } >/dev/null 2>&1 </dev/null &
      echo R >"$T/job.$n"
    fi
    echo "job $n" ;;
  poll) for f in "$T"/job.*; do [ ! -e "$f" ] || echo "${f##*.} $(cat "$f")"; done ;;
  cancel) rm "$T/job.$2" ;;
  nodes) echo "$(uname -n) $(cat "$T/node")" ;;
esac
exit 0
S
chmod +x q
echo up >node
cat >q.toml <<C
title = "one machine"
tested = "run-here"
tested_note = "a script"
source = "this test"
[submit]
command = ["$T/q submit {script}"]
id = '^job ([0-9]+)'
[poll]
command = ["$T/q poll"]
fields = ["id", "state"]
record = '^([0-9]+) ([A-Z]+)'
pending = ["PD"]
running = ["R"]
[cancel]
command = ["$T/q cancel {id}"]
[nodes]
command = ["$T/q nodes"]
fields = ["host", "state"]
record = '^([^ ]+) ([a-z]+)'
out = 'down'
C
config batch.toml "$notify[site]\nscheduler = \"$T/q.toml\"\n"
touch hold
"$SHAKEDOWN" regress --here --config batch.toml -w batch --progress none >/dev/null 2>&1 &
for _ in $(seq 200); do [ -e job.1 ] && break; sleep 0.05; done
sleep 1
kill -9 $!
wait $! 2>/dev/null
echo down >node
# What another user's check names is not executed.
if [ "$(id -u)" = 0 ]; then
  printf '#!/bin/sh\ntouch %s/executed\nexec %s/q "$@"\n' "$T" "$T" >theirs
  chmod +x theirs
  sed "s|$T/q |$T/theirs |" q.toml >theirs.toml
  folder=$(echo batch/campaigns/*)
  cp "$folder/campaign.json" kept.json
  sed -i 's|/q.toml"|/theirs.toml"|' "$folder/campaign.json"
  chown 12345 "$folder"
  exits "another user's check that was cut short" 4 regress batch.toml batch
  says "is not resumed" "$folder: belongs to user 12345; only the owner may run the commands and end the processes and jobs that it names"
  says "and what to do" "hint: run \`shakedown regress\` as the owner, or move this folder out of the workspace"
  exits "nor given up" 4 regress batch.toml batch --abandon
  check "its batch system is asked nothing" [ ! -e executed ]
  chown 0 "$folder"
  cp kept.json "$folder/campaign.json"
fi
exits "a check that was cut short, and whose node is taken" 75 regress batch.toml batch
says "waits for it" "was interrupted and waits for its nodes: "
older batch 49
rm -f told
exits "until two more were due" 75 regress batch.toml batch --metrics batch.prom
says "then it is given up" ", and its nodes are still taken: "
check "which is no success in the metrics, either" grep -q '^shakedown_check_success{.*} 0$' batch.prom
check "but undecided" grep -q '^shakedown_check_exit_code{.*} 3$' batch.prom
check "that is told" grep -q 'and its nodes are still taken: ' told
says "and the new one skipped" "skipped  "
check "its job is cancelled" [ ! -e job.1 ]
rm hold
echo up >node
exits "once its node is back" 0 regress batch.toml batch
check "the new one is made" [ "$(ls batch/campaigns/*/regression.json | wc -l)" = 2 ]
touch hold
sed 's/^minutes = 1$/minutes = 0.02/' batch.toml >short.toml
exits "a check whose jobs wait for longer than its budget" 75 regress short.toml queue
says "is skipped" "skipped  its jobs waited for "
check "and called that in its verdict" grep -q '"sentence": *"regression check: skipped: its jobs waited for ' queue/campaigns/*/regression.json
rm hold

# A person gives a check up that still runs: its runs are ended, in that person's name.
echo 300 >takes
"$SHAKEDOWN" regress --here --config r.toml -w left --progress none >/dev/null 2>&1 &
began left
kill -9 $!
wait $! 2>/dev/null
rm takes
exits "a check instead of one that runs, without its process" 0 regress r.toml left --abandon
says "gives that one up" "abandoned by the user (--abandon)"
check "its run was ended by that command" grep -q '"how":"shakedown regress --abandon"' left/campaigns/*/gemm-*/attempt-1/stopped.json
check "of a person" sh -c "! grep -q '\"by\":\"regress\"' left/campaigns/*/gemm-*/attempt-1/stopped.json"

# Another process takes the lock over in the middle: this one writes nothing more.
echo 15 >takes
rm -f told
"$SHAKEDOWN" regress --here --config r.toml -w lost --progress none --metrics lost.prom >lost.out 2>lost.err &
lost=$!
began lost
printf 'held    \nprocess 77 on node2\nstart 5\nboot another\nspace 1/2\nsince 2026-11-22T10:00:00Z\n' >lost/regress.lock.999
wait $lost
code=$?
check "a check that loses its lock ends" [ $code = 4 ]
check "and says to whom" grep -q 'regress.lock: was taken over by process 77 on node2 since 2026-11-22T10:00:00Z' lost.err
check "it has no verdict" [ ! -s lost.out ]
check "and wrote none" sh -c '! ls lost/campaigns/*/regression.json >/dev/null 2>&1'
check "nothing in the log of checks" [ ! -s lost/regression.jsonl ]
check "no metrics" [ ! -e lost.prom ]
check "told nobody" [ ! -e told ]
check "it did not begin the next run" [ "$(ls lost/campaigns/*/gemm-*/attempt-1/started.json | wc -l)" = 1 ]
check "the lock is still the other's" grep -q 'process 77 on node2' lost/regress.lock.999
rm lost/regress.lock.999 takes
exits "the next check" 0 regress r.toml lost
says "goes on where that one stopped" "resumes the interrupted check "
check "with the run that it had begun" [ "$(ls -d lost/campaigns/*/gemm-*/attempt-* | wc -l)" = 2 ]
finish
