# Sourced by the tests that kill (SIGKILL) at random instants: the orchestrator, the wrapper of a running attempt, or
# both. Each program locks the cores of its node and notes its start and its end; a descendant of it, in a session of
# its own, holds the lock too. A program that finds the lock taken runs beside another one.
# KILLS and SEED choose how often and when. The sourcing script defines
#   begin         starts a campaign in $W in the background
#   continue_it   resumes it in the background
seed=${SEED:-$(date +%N | sed 's/^0*//')}
kills=${KILLS:-16}
echo "seed $seed, $kills kills"
command -v flock >/dev/null || { echo "SKIPPED: no flock here (apt-get install util-linux)"; exit 77; }

cat >"$T/program.sh" <<'PROGRAM'
id=$1 notes=$2 node=${SLURMD_NODENAME:-here}
exec 9>>"$notes/$node.lock"
flock -n 9 || echo "$id $$ found the cores of $node taken" >>"$notes/overlaps"
echo "start $id $node $$ $(date +%s.%N)" >>"$notes/starts"
setsid sleep "${4-60}" &
sleep "$3"
echo "end $id $node $$ $(date +%s.%N)" >>"$notes/ends"
PROGRAM

# random N: 0 to N - 1, in $drawn.
random() {
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  drawn=$((seed / 65536 % $1))
}

# A program beside another one is noted.
mkdir "$T/control"
sh "$T/program.sh" first "$T/control" 2 4 >/dev/null 2>&1 &
until [ -e "$T/control/starts" ]; do sleep 0.05; done
sh "$T/program.sh" second "$T/control" 0 0 >/dev/null 2>&1
wait $!
check "a program beside another is noted" grep -q '^second .* taken$' "$T/control/overlaps"

# One of the wrappers of attempts that began and have not ended, in $victim; empty: there is none.
choose_wrapper() {
  set --
  for folder in "$W"/campaigns/*/*/attempt-*/; do
    [ -f "$folder/started.json" ] && [ ! -f "$folder/finished.json" ] || continue
    victim=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$folder/started.json")
    # The number may be another process's by now.
    tr '\0' ' ' 2>/dev/null <"/proc/$victim/cmdline" | grep -q -- '--folder' && set -- "$@" "$victim"
  done
  victim=
  [ $# -gt 0 ] || return
  random $#
  shift "$drawn"
  victim=$1
}

# One campaign with up to $1 kills, of them up to $2 of wrappers; $ids are its cases. Adds to $done_kills.
killed_campaign() {
  most=$1 wrappers=$2
  killed_before=$killed_wrappers
  mkdir -p "$W.notes"
  begin
  orchestrator=$!
  while [ "$most" -gt 0 ]; do
    # Now and then late enough for the end of all, when results are collected.
    random 8
    [ "$drawn" = 0 ] && random 4000 || random 500
    sleep "$(printf '%d.%03d' $(((drawn + 10) / 1000)) $(((drawn + 10) % 1000)))"
    kill -0 "$orchestrator" 2>/dev/null || break
    random 10
    target=$drawn
    if [ "$wrappers" -gt 0 ] && [ "$target" -lt 4 ]; then
      # On a batch system an attempt begins some time after the orchestrator.
      for _ in 1 2 3 4 5 6 7 8 9 10; do
        choose_wrapper
        [ -z "$victim" ] && kill -0 "$orchestrator" 2>/dev/null || break
        sleep 0.2
      done
      if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
        wrappers=$((wrappers - 1)) most=$((most - 1)) done_kills=$((done_kills + 1))
        killed_wrappers=$((killed_wrappers + 1))
        [ "$target" -lt 2 ] || continue
      fi
    fi
    kill -9 "$orchestrator" 2>/dev/null || break
    wait "$orchestrator" 2>/dev/null
    most=$((most - 1)) done_kills=$((done_kills + 1))
    if [ -n "$(ls "$W/campaigns" 2>/dev/null)" ]; then continue_it; else begin; fi
    orchestrator=$!
  done
  wait "$orchestrator"
  code=$?
  bad=
  [ "$code" = 3 ] || bad="exit code $code"
  [ ! -s "$W.notes/overlaps" ] || bad="$bad; $(cat "$W.notes/overlaps")"
  # Without its wrapper's death no program starts twice.
  set -- $ids
  starts=$(wc -l 2>/dev/null <"$W.notes/starts")
  due=$(($# + killed_wrappers - killed_before))
  [ "${starts:-0}" -le "$due" ] || bad="$bad; $starts programs started where $due were due"
  for id in $ids; do
    on_disk=$(grep -l '"state":"finished"' "$W"/campaigns/*/"$id"/attempt-*/finished.json 2>/dev/null | wc -l)
    in_store=$(sqlite3 "$W/results.sqlite" "SELECT count(*) FROM attempt a JOIN planned_case p ON p.id = a.case_id WHERE p.name = '$id' AND a.state = 'finished'")
    attempts=$(ls -d "$W"/campaigns/*/"$id"/attempt-* 2>/dev/null | wc -l)
    lost=$(ls "$W"/campaigns/*/"$id"/attempt-*/started.json 2>/dev/null | wc -l)
    starts=$(grep -c "^start $id " "$W.notes/starts" 2>/dev/null)
    ends=$(grep -c "^end $id " "$W.notes/ends" 2>/dev/null)
    [ "$on_disk $in_store" = "1 1" ] || bad="$bad; $id: $on_disk results on disk, $in_store in the store"
    [ "$starts" -ge 1 ] && [ "$starts" -le "$lost" ] || bad="$bad; $id: started $starts times in $lost of $attempts attempts"
    [ "$ends" -ge 1 ] || bad="$bad; $id: never came to its end"
  done
  if [ -n "$bad" ]; then
    fail "after $done_kills kills: $bad"
    sed 's/^/      | /' "$W.out"
    [ -z "${KEEP-}" ] || cp -r "$W" "$W.notes" "$KEEP/"
  fi
  rm -rf "$W" "$W.notes" "$W.out"
}

# campaigns_until_killed MOST WRAPPERS: campaigns in workspaces of their own until there were $kills kills.
campaigns_until_killed() {
  done_kills=0 killed_wrappers=0 number=0
  while [ "$done_kills" -lt "$kills" ] && [ "$failures" -lt 5 ]; do
    number=$((number + 1))
    W=$T/w$number
    killed_campaign "$1" "$2"
  done
  echo "$done_kills kills, $killed_wrappers of them of wrappers, in $number campaigns"
}
