# However a run of the io500 kernel is ended, its directory is as it was before; after kill -9 of all its processes the
# marker it leaves lets the next run, or --clean, remove what is its own.
. "$PROJECT/tests/mpi/io500_ini.sh"

phases="ior-easy-write mdtest-easy-write ior-hard-write mdtest-hard-write find ior-easy-read mdtest-easy-stat \
ior-hard-read mdtest-hard-stat mdtest-easy-delete mdtest-hard-read mdtest-hard-delete"
block=64m
segments=500
ini 8000 4000
sed -i 's#^datadir.*#datadir = ./site/deep/data#' t.ini
mkdir -p site results
echo mine >site/notes
listing() { find site | sort | tr '\n' ' '; }
before=$(listing)

# start: the kernel on two ranks, in launcher.
start() {
  : >out
  # shellcheck disable=SC2086
  mpirun $as_root --oversubscribe --bind-to none -np 2 "$LIBEXEC/io500" "$@" t.ini >out 2>err &
  launcher=$!
}

# reach PHASE: waits until it runs, which result.txt says first.
reach() {
  tries=0
  until grep -q "^\[$1\]" results/result.txt 2>/dev/null; do
    kill -0 $launcher 2>/dev/null || break
    tries=$((tries + 1))
    [ $tries -lt 3000 ] || fail "the run never reached $1"
    sleep 0.01
  done
}

# as_found WHEN: waits until the directory is what it was.
as_found() {
  tries=0
  until [ "$(listing)" = "$before" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "$1 the directory is not as it was: $(listing | cut -c1-300)"
    sleep 0.1
  done
  [ "$(cat site/notes)" = mine ] || fail "a foreign file was changed"
}

for signal in TERM INT; do
  for phase in $phases; do
    rm -rf results
    start
    reach "$phase"
    kill -$signal $launcher 2>/dev/null
    wait $launcher
    as_found "after SIG$signal in $phase"
  done
done

# A rank that dies takes the run with it.
rm -rf results
start
reach mdtest-hard-write
worker=$(pgrep -P $launcher -f io500 | tail -n 1)
kill -KILL "$worker"
wait $launcher && fail "a run without a rank has exit code 0"
as_found "after kill -9 of a rank"

# Without a launcher, an interrupted run is over when the directory is clean.
rm -rf results
"$LIBEXEC/io500" t.ini >out 2>err &
launcher=$!
reach mdtest-easy-write
kill -TERM $launcher
wait $launcher
[ $? = 143 ] || fail "an ended run must say so by its exit code"
[ "$(listing)" = "$before" ] || fail "the directory is not as it was: $(listing | cut -c1-300)"
grep -q 'interrupted; the data files are being removed' err || fail "an interrupted run says nothing"

# kill -9 of everything, the guardian too.
slay() {
  rm -rf results
  start
  reach "$1"
  victims="$launcher $(pgrep -P $launcher -f io500)"
  for rank in $(pgrep -P $launcher -f io500); do victims="$victims $(pgrep -P "$rank")"; done
  # shellcheck disable=SC2086
  kill -KILL $victims 2>/dev/null
  wait $launcher 2>/dev/null
  [ -e site/deep/data/.shakedown-io500 ] || fail "nothing marks the files of the killed run"
}
slay mdtest-hard-write
grep -q '^shakedown IO500 reference' site/deep/data/.shakedown-io500 || fail "the marker doesn't say whose it is"
echo mine >site/deep/data/ior-hard/notes
run 1 t.ini --clean
[ "$code" = 1 ] && grep -q 'ior-hard/notes is left: this program did not make it' err || fail "--clean doesn't say what it leaves"
[ "$(find site/deep -type f | sort | tr '\n' ' ')" = "site/deep/data/.shakedown-io500 site/deep/data/ior-hard/notes " ] ||
  fail "--clean must leave the foreign file and the marker: $(find site/deep -type f | head)"
rm site/deep/data/ior-hard/notes
run 1 t.ini --clean
[ "$code" = 0 ] && grep -q 'removed the files that process' err || fail "--clean fails"
as_found "after --clean"

# The next run cleans up for itself.
slay mdtest-easy-write
run 2 t.ini
[ "$code" = 0 ] && grep -q 'removed the files that process' err || fail "the next run doesn't clean up"
as_found "after the next run"

# Two runs don't share a directory.
rm -rf results
start
reach mdtest-hard-write
sed 's#^resultdir.*#resultdir = ./others#' t.ini >other.ini
timeout 60 "$LIBEXEC/io500" other.ini >other.out 2>other.err
second=$?
wait $launcher || fail "the first run fails beside a second one"
[ $second = 0 ] || [ $second = 2 ] || fail "the second run ends with $second: $(cat other.err)"
as_found "after two runs"
