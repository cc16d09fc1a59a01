#!/bin/sh
# Workspaces on filesystems that several hosts share. Nearest real things on one machine: a FUSE filesystem (bindfs),
# mounted twice so that the locks of one mount are not seen by the other, as with NFS mounted nolock or Lustre with
# localflock, and each with a host name (a UTS namespace) and a boot id (a file mounted over it) of its own; and a library that makes the system's locks answer
# ENOLCK and statfs answer NFS, for the filesystems without locks.
. "$(dirname -- "$0")/check.sh"
run() { "$SHAKEDOWN" run --here --plan "$1" -w "$2" --progress none; }
resume() { "$SHAKEDOWN" resume --here -w "$1" --progress none; }
campaign_in() { ls -d "$1"/campaigns/*/ | head -n 1; }
store() { sqlite3 "$1/results.sqlite" "$2"; }
# until_true SECONDS COMMAND...
until_true() {
  left=$(($1 * 10))
  shift
  while [ "$left" -gt 0 ]; do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.1
    left=$((left - 1))
  done
  return 1
}
sum_up() { grep -c . "$1" 2>/dev/null || true; }
LINE='sleep 2; echo x >>../ends'
plan_of "$T/slow.json" one
LINE=true
plan_of "$T/quick.json" one

# What runs in the background is a command, not a function: $! is then the orchestrator itself.

# --- Locks that answer ENOLCK, on what says that it is NFS.
cat >"$T/nolocks.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/vfs.h>
int flock(int fd, int operation) { (void)fd; (void)operation; errno = ENOLCK; return -1; }
static int answer(const char* name, int fd, int command, void* argument) {
  if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) { errno = ENOLCK; return -1; }
  return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(fd, command, argument);
}
int fcntl(int fd, int command, ...) {
  va_list list; va_start(list, command); void* argument = va_arg(list, void*); va_end(list);
  return answer("fcntl", fd, command, argument);
}
int fcntl64(int fd, int command, ...) {
  va_list list; va_start(list, command); void* argument = va_arg(list, void*); va_end(list);
  return answer("fcntl64", fd, command, argument);
}
int statfs(const char* path, struct statfs* found) {
  int code = ((int (*)(const char*, struct statfs*))dlsym(RTLD_NEXT, "statfs"))(path, found);
  if (code == 0) found->f_type = 0x6969;
  return code;
}
C
if cc -shared -fPIC -o "$T/nolocks.so" "$T/nolocks.c" -ldl 2>"$T/err" && [ -z "${ASAN_OPTIONS-}" ]; then
  nolocks() { env LD_PRELOAD="$T/nolocks.so" "$@"; }
  nolocks "$SHAKEDOWN" doctor -w "$T/none" >"$T/out" 2>&1
  says "doctor names the filesystem and what follows" "NFS, may be shared with other hosts: rollback journal"
  says "and that it has no locks" "it has no locks"

  # One at a time.
  LINE='sleep 8'
  plan_of "$T/busy.json" one
  env LD_PRELOAD="$T/nolocks.so" "$SHAKEDOWN" run --here --plan "$T/busy.json" -w "$T/busy" --progress none >"$T/busy.out" 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/busy/campaigns/*/one/attempt-1/started.json"
  exits "status beside it" 0 nolocks "$SHAKEDOWN" status -w "$T/busy"
  says "names its orchestrator" "running, by process $pid on $(hostname)"
  exits "a second campaign in the workspace" 4 nolocks "$SHAKEDOWN" run --here --plan "$T/quick.json" -w "$T/busy" --progress none
  says "is refused with who has the store" "is held by process $pid on $(hostname) since "
  says "and why" "on NFS, which other hosts may share, one shakedown writes at a time"
  says "and a way out" "use another workspace with -w DIR"
  kill -TERM "$pid"
  wait "$pid"

  # A campaign that an interrupt left.
  env LD_PRELOAD="$T/nolocks.so" "$SHAKEDOWN" run --here --plan "$T/slow.json" -w "$T/left" --progress none >"$T/left.out" 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/left/campaigns/*/one/attempt-1/started.json"
  kill -TERM "$pid"
  wait "$pid"
  check "the journal is a rollback journal" [ "$(store "$T/left" 'PRAGMA journal_mode')" = delete ]
  check "and none is left" [ ! -e "$T/left/results.sqlite-journal" ]

  # Two at the same instant, twenty times: one runs, the other is told who.
  wrong=0
  for round in $(seq 20); do
    rm -rf "$T/race" "$T/go"
    cp -r "$T/left" "$T/race"
    mkfifo "$T/go"
    for side in a b; do
      (read -r _ <"$T/go"; LD_PRELOAD="$T/nolocks.so" "$SHAKEDOWN" resume --here -w "$T/race" --progress none >"$T/race.$side" 2>&1
        echo $? >"$T/race.$side.code") &
    done
    sleep 0.1
    printf 'go\ngo\n' >"$T/go"
    wait
    codes=$(sort "$T/race.a.code" "$T/race.b.code" | tr '\n' ' ')
    ends=$(sum_up "$(campaign_in "$T/race")/one/ends")
    refused=$(cat "$T/race.a" "$T/race.b" | grep -c "is being run by another shakedown (process [0-9]* on $(hostname))")
    if [ "$codes" != "3 4 " ] || [ "$ends" != 1 ] || [ "$refused" != 1 ]; then
      echo "FAIL  round $round: exit codes $codes, $ends ends, $refused refused"
      sed 's/^/      | /' "$T/race.a" "$T/race.b"
      wrong=$((wrong + 1))
    fi
  done
  check "of two at the same instant exactly one runs, 20 times" [ "$wrong" = 0 ]

  # The store is rebuilt from the folders with the rows that it had, of a case that was tried twice.
  mv "$T/race/results.sqlite" "$T/before.sqlite"
  exits "import" 0 nolocks "$SHAKEDOWN" import -w "$T/race" "$T/race/campaigns"
  check "two attempts" [ "$(store "$T/race" 'SELECT count(*) FROM attempt')" = 2 ]
  check "row by row the same" python3 "$PROJECT/tests/cli/same_rows.py" "$T/before.sqlite" "$T/race/results.sqlite"

  # kill -9 and resume, at once.
  env LD_PRELOAD="$T/nolocks.so" "$SHAKEDOWN" run --here --plan "$T/slow.json" -w "$T/killed" --progress none >/dev/null 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/killed/campaigns/*/one/attempt-1/started.json"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  check "the killed one's claim is there" grep -q '^held' "$(campaign_in "$T/killed")"/lock.1
  begin=$(date +%s)
  exits "resume after kill -9" 3 nolocks "$SHAKEDOWN" resume --here -w "$T/killed" --progress none
  check "is at once" [ $(($(date +%s) - begin)) -lt 30 ]
  check "and nothing ran twice" [ "$(sum_up "$(campaign_in "$T/killed")/one/ends")" = 1 ]

  # A disk that is full, and one that is read-only, with the rollback journal.
  mkdir "$T/full" "$T/fixed"
  if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null && mount -t tmpfs -o size=2m tmpfs "$T/full" 2>/dev/null; then
    trap 'umount "$T/full"; rm -rf "$T"' EXIT
    LINE='sleep 3; echo x >>../ends'
    plan_of "$T/two.json" one two
    env LD_PRELOAD="$T/nolocks.so" "$SHAKEDOWN" run --here --plan "$T/two.json" -w "$T/full" --progress none >"$T/full.out" 2>&1 &
    pid=$!
    until_true 20 sh -c "ls '$T'/full/campaigns/*/one/attempt-1/started.json"
    dd if=/dev/zero of="$T/full/ballast" bs=64k >/dev/null 2>&1
    wait "$pid"
    check "a full disk ends the pass as the environment's fault" [ $? = 4 ]
    rm "$T/full/ballast"
    until_true 20 sh -c "! pgrep -f '$T/[f]ull'"
    exits "resume on the mended disk" 3 nolocks "$SHAKEDOWN" resume --here -w "$T/full" --progress none
    check "both cases have ended" [ "$(store "$T/full" "SELECT count(*) FROM attempt WHERE state = 'finished'")" = 2 ]
    check "the store is whole" [ "$(store "$T/full" 'PRAGMA integrity_check')" = ok ]
    cp -r "$T/left/." "$T/fixed"
    exits "resume in a read-only workspace" 4 nolocks unshare -m sh -c \
      "mount --bind '$T/fixed' '$T/fixed' && mount -o remount,ro,bind '$T/fixed' && exec '$SHAKEDOWN' resume --here -w '$T/fixed'"
    says "names it" "Read-only file system"
    exits "report from there" 3 nolocks unshare -m sh -c \
      "mount --bind '$T/fixed' '$T/fixed' && mount -o remount,ro,bind '$T/fixed' && exec '$SHAKEDOWN' report -w '$T/fixed' -o '$T/fixed-report'"
    exits "resume where it can be written again" 3 nolocks "$SHAKEDOWN" resume --here -w "$T/fixed" --progress none
  else
    echo "note: nothing may be mounted here: full and read-only file systems were not tried"
  fi
  tried=1
else
  echo "note: nothing can be preloaded here: file systems without locks were not tried"
fi

# --- A real FUSE filesystem, mounted twice.
mkdir "$T/disk" "$T/m1" "$T/m2"
# HOST COMMAND...: as a host of that name, with a boot of its own (BOOT: another). What it starts in the background is
# the command itself.
cat >"$T/on" <<'H'
#!/bin/sh
boot=$0.boot.${BOOT:-$1}
[ -e "$boot" ] || cat /proc/sys/kernel/random/uuid >"$boot"
exec unshare -um sh -c 'mount --bind "$1" /proc/sys/kernel/random/boot_id && hostname "$2" && shift 2 && exec "$@"' \
  sh "$boot" "$@"
H
chmod +x "$T/on"
on() { "$T/on" "$@"; }
if [ "$(id -u)" = 0 ] && command -v bindfs >/dev/null && on host1 true 2>/dev/null &&
  bindfs "$T/disk" "$T/m1" 2>/dev/null && bindfs "$T/disk" "$T/m2" 2>/dev/null; then
  trap 'umount "$T/m1" "$T/m2"; umount "$T/full" 2>/dev/null; rm -rf "$T"' EXIT
  # A store that was kept on a local disk, and whose last transaction is in its log alone.
  run "$T/quick.json" "$T/disk/w" >/dev/null 2>&1
  store "$T/disk/w" "PRAGMA journal_mode" >"$T/mode"
  check "on a local disk the journal is written ahead" grep -qx wal "$T/mode"
  sqlite3 "$T/disk/w/results.sqlite" ".dbconfig no_ckpt_on_close on" "UPDATE campaign SET finished_s = 946684800" >/dev/null
  check "a log is left" [ -s "$T/disk/w/results.sqlite-wal" ]
  exits "it is read on the shared filesystem" 4 "$SHAKEDOWN" report -w "$T/m1/w" --json -o "$T/report"
  says "with what was in the log" "ended at 2000-01-01T00:00:00Z in the store, when none of its attempts did"
  check "and has a rollback journal now" [ "$(store "$T/disk/w" 'PRAGMA journal_mode')" = delete ]
  check "no log is left" [ ! -e "$T/disk/w/results.sqlite-wal" ]
  store "$T/disk/w" "UPDATE campaign SET finished_s = (SELECT max(finished_s) FROM attempt)"
  exits "the other way" 3 "$SHAKEDOWN" report -w "$T/disk/w"
  check "it is written ahead again" [ "$(store "$T/disk/w" 'PRAGMA journal_mode')" = wal ]
  first=$(basename "$(campaign_in "$T/disk/w")")
  "$SHAKEDOWN" doctor -w "$T/m1/w" >"$T/out" 2>&1
  says "doctor names FUSE" "fuse, may be shared with other hosts"

  # Host 1 runs; host 2 sees it through its own mount, where no lock of host 1 is seen.
  sleep 1
  LINE='sleep 6; echo x >>../ends'
  plan_of "$T/long.json" one
  "$T/on" host1 "$SHAKEDOWN" run --here --plan "$T/long.json" -w "$T/m1/w" --progress none >"$T/run.out" 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/disk/w/campaigns/*host1/one/attempt-1/started.json"
  exits "host 2: status" 0 on host2 "$SHAKEDOWN" status -w "$T/m2/w"
  says "names host 1" "running, by process $pid on host1"
  exits "host 2: resume" 4 on host2 "$SHAKEDOWN" resume --here -w "$T/m2/w"
  says "is refused with its name" "is being run by another shakedown (process $pid on host1) since "
  says "and its last heartbeat" "last heartbeat"
  says "and the way past a host that crashed" "resume --break-lock"
  exits "host 2: a report on another campaign" 3 on host2 "$SHAKEDOWN" report "$first" -w "$T/m2/w" -o "$T/report"
  says "is read beside it, and not stored" "is held by process $pid on host1"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  until_true 20 sh -c "ls '$T'/disk/w/campaigns/*host1/one/attempt-1/finished.json"
  exits "host 2: it can't know yet that host 1's is gone" 4 on host2 "$SHAKEDOWN" resume --here -w "$T/m2/w"
  second=$(ls -d "$T"/disk/w/campaigns/*host1)
  touch -d '-10 minutes' "$second"/lock.[0-9]* "$T"/disk/w/results.lock.[0-9]*
  exits "host 2: after ten minutes of silence it takes over" 3 on host2 "$SHAKEDOWN" resume --here -w "$T/m2/w" --progress none
  says "and says so" "taken over from process $pid on host1"
  check "nothing ran twice" [ "$(sum_up "$second/one/ends")" = 1 ]

  # Who knows that the other is gone need not wait.
  sleep 1
  LINE='sleep 1; echo x >>../ends'
  plan_of "$T/short.json" one
  "$T/on" host1 "$SHAKEDOWN" run --here --plan "$T/short.json" -w "$T/m1/forced" --progress none >"$T/run.out" 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/disk/forced/campaigns/*host1/one/attempt-1/started.json"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  until_true 20 sh -c "ls '$T'/disk/forced/campaigns/*host1/one/attempt-1/finished.json"
  exits "host 2: by force, at once" 3 on host2 "$SHAKEDOWN" resume --here --break-lock -w "$T/m2/forced" --progress none
  says "which is said" "taken by force from process $pid on host1"

  # A process that was stopped for long, and finds that another took over, leaves everything to it.
  "$T/on" host1 "$SHAKEDOWN" run --here --plan "$T/long.json" -w "$T/m1/stopped" --progress none >"$T/run.out" 2>&1 &
  pid=$!
  until_true 20 sh -c "ls '$T'/disk/stopped/campaigns/*host1/one/attempt-1/started.json"
  kill -STOP "$pid"
  until_true 20 sh -c "ls '$T'/disk/stopped/campaigns/*host1/one/attempt-1/finished.json"
  sleep 5
  exits "host 2 takes over from one that is stopped" 3 on host2 "$SHAKEDOWN" resume --here --break-lock -w "$T/m2/stopped" --progress none
  cp "$T"/disk/stopped/campaigns/*/journal.jsonl "$T/journal"
  kill -CONT "$pid"
  wait "$pid"
  check "which ends as the environment's fault" [ $? = 4 ]
  cp "$T/run.out" "$T/out"
  says "says why" "was taken over"
  check "and writes nothing more" cmp -s "$T/journal" "$T"/disk/stopped/campaigns/*/journal.jsonl

  # The same host under another name: what runs there is known to, and goes on.
  LINE='sleep 3; echo x >>../ends'
  plan_of "$T/three.json" one
  until_begun() { until_true 20 sh -c "ls '$T'/disk/$1/campaigns/*/one/attempt-1/started.json"; }
  begin_on_host1() { # NAME: an orchestrator of host 1 is killed
    "$T/on" host1 "$SHAKEDOWN" run --here --plan "$T/$2.json" -w "$T/m1/$1" --progress none >"$T/run.out" 2>&1 &
    pid=$!
    until_begun "$1"
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
  }
  begin_on_host1 renamed three
  exits "host 1 under another name resumes at once" 3 env BOOT=host1 "$T/on" renamed1 "$SHAKEDOWN" resume --here -w "$T/m1/renamed" --progress none
  check "and nothing ran twice" [ "$(cat "$T"/disk/renamed/campaigns/*/one/ends | wc -l) $(ls -d "$T"/disk/renamed/campaigns/*/one/attempt-* | wc -l)" = "1 1" ]

  # Host 1 dies with all that runs on it.
  dies() { # NAME
    begin_on_host1 "$1" long
    at=$(echo "$T"/disk/"$1"/campaigns/*)
    wrapper=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$at/one/attempt-1/started.json")
    kill -9 $(pgrep -P "$wrapper") "$wrapper"
  }
  dies booted
  # Booted again: what it did lies before that.
  sed -i 's/"started_s":[0-9.]*/"started_s":978307200/' "$at/one/attempt-1/started.json"
  touch -d 2001-01-01 "$at"/lock.[0-9]* "$T"/disk/booted/results.lock.[0-9]*
  begin=$(date +%s)
  exits "host 1 after a boot resumes at once" 3 env BOOT=host1b "$T/on" host1 "$SHAKEDOWN" resume --here -w "$T/m2/booted" --progress none
  check "without watching a silent lock" [ $(($(date +%s) - begin)) -lt 25 ]  # that is how long it is watched
  check "and retries what was lost" grep -q '"state":"finished"' "$at/one/attempt-2/finished.json"

  # Never to come back: another host goes on for it, when told.
  dies dead
  exits "host 2: it can't know" 4 on host2 "$SHAKEDOWN" resume --here -w "$T/m2/dead"
  says "and says what breaking the lock does" "takes the lock at once, and retries what that host had running"
  rm "$at"/lock.[0-9]* "$T"/disk/dead/results.lock.[0-9]*
  exits "host 2: a lock that is free says nothing of what ran" 4 on host2 "$SHAKEDOWN" resume --here -w "$T/m2/dead" --progress none
  says "which names the host" "was started on host1 at 20"
  says "and the way past it" "counts the attempt as lost, and retries the case here"
  exits "host 2: told that host 1 is gone" 3 on host2 "$SHAKEDOWN" resume --here --break-lock -w "$T/m2/dead" --progress none
  check "retries it" grep -q '"state":"finished"' "$at/one/attempt-2/finished.json"
  tried=1
else
  echo "note: no second mount of a FUSE filesystem here (root, bindfs, /dev/fuse): two hosts were not tried"
fi
[ -n "${tried-}" ] || { echo "SKIPPED: no C compiler for a file system without locks, and no second mount of a FUSE filesystem here"; exit 77; }
finish
