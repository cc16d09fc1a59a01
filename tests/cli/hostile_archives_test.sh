#!/bin/sh
# Archives of others: each is refused with a sentence, within 256 MiB and 10 s, and nothing of it is written.
. "$(dirname -- "$0")/check.sh"
for program in zstd python3; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$PROJECT/tests/fixtures/hpl/reference-passed.out"]}]}
P
"$SHAKEDOWN" run --here --plan plan.json -w w --progress none >/dev/null 2>&1
exits "an honest bundle" 0 "$SHAKEDOWN" bundle -w w -o honest.tar.zst --no-sign
mkdir hostile tmp cwd
python3 "$PROJECT/tests/cli/hostile_archives.py" honest.tar.zst hostile || fail "the archives could not be made"
export TMPDIR="$T/tmp"
# Instrumented builds need more of both than they can be held to.
if prlimit --data=268435456 "$SHAKEDOWN" list >/dev/null 2>&1; then held="timeout 20 prlimit --data=268435456 --cpu=10"; else held="timeout 120"; fi
cd cwd || exit 1
# shellcheck disable=SC2086  # words
exits "an honest one" 0 $held "$SHAKEDOWN" verify ../honest.tar.zst
number=0
for archive in ../hostile/*.tar.zst; do
  name=$(basename "$archive" .tar.zst)
  number=$((number + 1))
  code=2
  [ "$name" != manifest-space ] || code=4
  # shellcheck disable=SC2086
  exits "$name" $code $held "$SHAKEDOWN" verify "$archive"
  says "says why" "$(cat "../hostile/$name.says")"
  check "writes nothing" [ -z "$(ls -A . "$TMPDIR" | grep -v : | tr -d '\n')" ]
  check "prints no control characters" [ "$(cat "$T/out" "$T/err" | LC_ALL=C tr -d '\12\40-\176\200-\377' | wc -c)" = 0 ]
done
check "all were tried" [ "$number" -ge 24 ]
check "none of them wrote elsewhere" [ ! -e /tmp/evil ] && [ ! -e ../evil ]
finish
