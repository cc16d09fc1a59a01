#!/bin/sh
# Whatever ends `bundle` on its way - a kill, a full disk - leaves under the archive's name the old one or nothing.
. "$(dirname -- "$0")/check.sh"
command -v zstd >/dev/null 2>&1 || { echo "SKIPPED: no zstd"; exit 77; }
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/sh","-c","cat $PROJECT/tests/fixtures/hpl/reference-passed.out; head -c 30M /dev/urandom >noise"]}]}
P
"$SHAKEDOWN" run --here --plan plan.json -w w --progress none >/dev/null 2>&1
mkdir made
bundle() { "$SHAKEDOWN" bundle -w w -o made/x.tar.zst --no-sign >/dev/null 2>&1; }
bundle
check "an archive" [ -s made/x.tar.zst ]
cp made/x.tar.zst old
killed=0 whole=0 wrong=0
for ms in 1 2 5 10 15 20 30 40 60 80 100 130 160 200 250 300 400 500 700; do
  rm -rf made/*
  [ $((ms % 2)) = 0 ] || cp old made/x.tar.zst
  "$SHAKEDOWN" bundle -w w -o made/x.tar.zst --no-sign >/dev/null 2>&1 &
  pid=$!
  sleep "$(printf '0.%03d' $ms)"
  kill -9 $pid 2>/dev/null && killed=$((killed + 1))
  wait $pid 2>/dev/null
  [ -e made/x.tar.zst ] || continue
  whole=$((whole + 1))
  "$SHAKEDOWN" verify made/x.tar.zst >/dev/null 2>&1 || wrong=$((wrong + 1))
done
check "killed at some step" [ $killed -gt 3 ]
check "never half an archive ($killed kills, $whole archives)" [ $wrong = 0 ]
bundle
exits "the next one is made, and what a kill left is no hindrance" 0 "$SHAKEDOWN" verify made/x.tar.zst

# A full disk.
mkdir disk
if mount -t tmpfs -o size=8m none disk 2>/dev/null; then
  exits "a disk that is full" 4 "$SHAKEDOWN" bundle -w w -o disk/x.tar.zst --no-sign
  says "is named with the way out" "free some space there"
  check "nothing is left on it" [ -z "$(ls -A disk)" ]
  echo old >disk/x.tar.zst
  exits "beside an old archive" 4 "$SHAKEDOWN" bundle -w w -o disk/x.tar.zst --no-sign
  check "which stays" [ "$(cat disk/x.tar.zst)" = old ]
  check "alone" [ "$(ls -A disk)" = x.tar.zst ]
  export TMPDIR="$T/disk"
  exits "verify without space to unpack" 4 "$SHAKEDOWN" verify made/x.tar.zst
  says "names the way out" "set TMPDIR to a folder with more space"
  check "and leaves nothing there" [ "$(ls -A disk)" = x.tar.zst ]
  umount disk
else
  echo "(no tmpfs can be mounted: the full disk is not tried)"
fi
exits "a folder that is not there" 4 "$SHAKEDOWN" bundle -w w -o nonesuch/x.tar.zst --no-sign
says "names the way out" "hint: mkdir -p nonesuch, or name another path"
exits "a device" 2 "$SHAKEDOWN" bundle -w w -o /dev/null --no-sign
finish
