#!/bin/sh
# What disturbs the orchestrator or the queue without touching a job: full and read-only disks, a clock that is set,
# queues full of others' jobs. Nothing is lost, and nothing runs twice.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 8
short='sleep 1; echo x >>../ends'

# Others wait in the queue, and hold the node that a case is bound to: it waits, with the scheduler's reason.
for i in $(seq 200); do echo "sbatch -Q -J other --begin=now+1hour --wrap true -o /dev/null"; done | sh
sbatch -Q -J other -w cn1 --exclusive -o /dev/null --wrap 'sleep 20'
until_true 20 sh -c '[ -n "$(squeue -h -t R)" ]'
plan "$T/queue.json" "$(case_of behind 1 cn1 "$short" '"placement":"bound"')" "$(case_of free 1 cn2 "$short" '"placement":"bound"')"
start queue

# The clock is set two hours forth, then back, while a job runs.
faketime=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
if [ -n "$faketime" ]; then
  plan "$T/clock.json" "$(case_of one 1 cn3 'sleep 8; echo x >>../ends' '"placement":"bound","time_limit_s":60')" \
    "$(case_of two 1 cn3 "$short" '"placement":"bound","time_limit_s":60')"
  echo '+0' >"$T/clock"
  # A variable of the orchestrator's, and of what it starts.
  (
    export LD_PRELOAD="$faketime" FAKETIME_TIMESTAMP_FILE="$T/clock" FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
    exec "$SHAKEDOWN" run --plan "$T/clock.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/clock.w" >"$T/clock.out" 2>&1
  ) &
  pid_clock=$!
  mkdir -p "$T/clock.w"
  ln -s clock.w "$T/clock-w"
else
  echo "SKIPPED: no libfaketime here (apt-get install faketime): a clock that is set was not tried"
fi

# The disk of the workspace is full when the job ends.
mkdir "$T/full"
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null && mount -t tmpfs -o size=2m tmpfs "$T/full" 2>/dev/null; then
  trap 'sh "$virtual" stop "$T"; umount "$T/full"; rm -rf "$T"' EXIT
  plan "$T/full.json" "$(case_of fills 1 cn4 'sleep 4; echo x >>../ends' '"placement":"bound","time_limit_s":60')" \
    "$(case_of next 1 cn4 "$short" '"placement":"bound","time_limit_s":60')"
  start full
  began full fills
  dd if=/dev/zero of="$T/full/ballast" bs=64k >/dev/null 2>&1
  # A workspace that became read-only.
  mkdir "$T/fixed"
  plan "$T/fixed.json" "$(case_of one 1 cn5 'sleep 6; echo x >>../ends' '"placement":"bound","time_limit_s":60')" \
    "$(case_of two 1 cn5 "$short" '"placement":"bound","time_limit_s":60')"
  start fixed
  began fixed one
  kill -9 "$pid_fixed"
  wait "$pid_fixed" 2>/dev/null
  exits "resume in a read-only workspace" 4 unshare -m sh -c \
    "mount --bind '$T/fixed' '$T/fixed' && mount -o remount,ro,bind '$T/fixed' && exec '$SHAKEDOWN' resume -w '$T/fixed'"
  says "names it" "Read-only file system"
  ended full 4
  rm "$T/full/ballast"
  until_true 20 sh -c '[ -z "$(squeue -h -w cn4)" ]'
  exits "resume on the mended disk" 3 "$SHAKEDOWN" resume -w "$T/full"
  becomes full fills failed
  becomes full next finished
  counted full next 1
  until_true 20 sh -c '[ -z "$(squeue -h -w cn5)" ]'
  exits "resume where it can be written again" 3 "$SHAKEDOWN" resume -w "$T/fixed"
  for id in one two; do becomes fixed $id finished; counted fixed $id 1; done
else
  echo "SKIPPED: nothing may be mounted here: full and read-only file systems were not tried"
fi

if [ -n "$faketime" ]; then
  until_true 30 sh -c "ls '$T'/clock.w/campaigns/*/one/attempt-1/started.json"
  echo '+2h' >"$T/clock"
  sleep 3
  echo '-2h' >"$T/clock"
  sleep 2
  echo '+0' >"$T/clock"
  wait "$pid_clock"
  check "the clock is set and the campaign ends" [ $? = 3 ]
  for id in one two; do becomes clock.w $id finished; counted clock.w $id 1; done
fi

ended queue 3
for id in behind free; do becomes queue $id finished; counted queue $id 1; done
check "the reason is told" grep -q '\[ WAIT\] .* for cn1: ' "$T/queue.out"
check "others' jobs are left alone" [ "$(squeue -h -n other -t PD | wc -l)" = 200 ]
finish
