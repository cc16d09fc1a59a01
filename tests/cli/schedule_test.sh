#!/bin/sh
# What `schedule` prints is what cron, systemd and scrontab take, whatever the paths are called.
. "$(dirname -- "$0")/check.sh"
folder="$T/a b%c'd\"e\$f"
mkdir "$folder" || exit 1
cd "$folder" || exit 1
config() { printf "title = \"100 %%%% of the nodes\"\nchecks_per_week = $1\n[site]\npartition = \"batch\"\naccount = \"hpc\"\n[budget]\nminutes = 20\n[[runs]]\nsuite = \"gemm\"\n" >"r$1.toml"; }
for n in 1 3 7 28 168 672 10080 13; do config $n; done
schedule() { n=$1; shift; "$SHAKEDOWN" schedule --config "r$n.toml" -w "$folder/w" "$@"; }
fields() { sed -n '2s/ cd .*//p' "$T/out"; }

exits "a check a day" 0 schedule 7 --cron
check "is at two" [ "$(fields)" = "0 2 * * *" ]
check "in a block of its name" sh -c "head -n 1 '$T/out' | grep -qx '# shakedown-regress-r7 begins' && tail -n 1 '$T/out' | grep -qx '# shakedown-regress-r7 ends'"
check "a per cent sign is escaped, which cron takes for a line's end" sh -c "! sed -n 2p '$T/out' | sed 's/\\\\%//g' | grep -q %"
exits "at another time" 0 schedule 7 --cron --at 13:45
check "is then" [ "$(fields)" = "45 13 * * *" ]
exits "three a week" 0 schedule 3 --cron
check "are on three days" [ "$(fields)" = "0 2 * * 1,3,5" ]
exits "four a day" 0 schedule 28 --cron
check "are six hours apart" [ "$(fields)" = "0 2,8,14,20 * * *" ]
exits "one an hour" 0 schedule 168 --cron
check "is each hour" [ "$(fields)" = "0 * * * *" ]
exits "four an hour" 0 schedule 672 --cron
check "are a quarter apart" [ "$(fields)" = "*/15 * * * *" ]
exits "one a minute" 0 schedule 10080 --cron
check "is each minute" [ "$(fields)" = "* * * * *" ]
exits "thirteen a week" 2 schedule 13 --cron
says "have no even timetable, and the nearest that have are named" "hint: 7 or 14 have"
exits "a time that is none" 2 schedule 7 --at 25:00
says "is refused" "'25:00' is no time of day"
exits "two ways at once" 2 schedule 7 --cron --systemd
says "are refused" "choose one"

# The command survives the shell that cron gives it to, word by word.
exits "the crontab's command" 0 schedule 7 --cron
sed -n '2s/^0 2 \* \* \* //p' "$T/out" | sed 's/\\%/%/g' >command
mkdir w
cat >"$T/words" <<'S'
#!/bin/sh
for word; do printf '%s\n' "$word"; done
S
chmod +x "$T/words"
sed "s#[^ ]*bin/shakedown regress#$T/words regress#" command >asked
sh asked
printf '%s\n' regress --config "$folder/r7.toml" -w "$folder/w" --progress none >expected
check "is the check, in its folder, with absolute paths" cmp expected w/regression.log

exits "a timer" 0 schedule 3 --systemd
cp "$T/out" units
check "has its days" grep -qx 'OnCalendar=Mon,Wed,Fri \*-\*-\* 02:00:00' units
check "a skipped check is no failure" grep -qx 'SuccessExitStatus=3 75' units
if command -v systemd-analyze >/dev/null; then
  mkdir "$T/units"
  awk -v at="$T/units" '/^# .*\.(service|timer)$/ { file = at "/" $2; next } { print >file }' units
  check "both units are there" [ "$(ls "$T/units" | wc -l)" = 2 ]
  check "systemd takes them" sh -c "systemd-analyze verify --man=no '$T'/units/*.timer '$T'/units/*.service 2>'$T/verify'; ! grep -F '$T/units' '$T/verify'"
  for n in 1 3 7 28 168 672 10080; do
    schedule $n | sed -n 's/^OnCalendar=//p' >calendar
    check "and the times of $n checks a week" systemd-analyze calendar --iterations=1 "$(cat calendar)" >/dev/null
  done
else
  echo "note: no systemd-analyze here; the units are not verified"
fi

exits "lines for scrontab" 0 schedule 7 --scrontab
says "have their job's name" "#SCRON --job-name=shakedown-regress-r7"
says "its time, with all repeats" "#SCRON --time=140"
says "and its partition" "#SCRON --partition=batch"
exits "as JSON" 0 schedule 7 --cron --json
check "is a document" python3 -c "import json; d = json.load(open('$T/out')); assert d['schema'] == 'shakedown.schedule/1' and d['argv'][1] == 'regress'"

exits "with metrics" 0 schedule 7 --cron --json --metrics p.prom
check "checks write them, by an absolute path" python3 -c "import json, sys; d = json.load(open(sys.argv[1]))['argv']; assert d[d.index('--metrics') + 1] == sys.argv[2], d" "$T/out" "$folder/p.prom"
exits "a path that is no UTF-8" 0 "$SHAKEDOWN" schedule --config r7.toml --cron --json -w "$(printf 'x\377')"
check "is shown as well as it can be" python3 -c "import json; json.load(open('$T/out'))"

# What will not work is said before.
{ cat r7.toml; printf '[notify]\nurl = "https://x/y"\nsecret_environment = "HOOK"\n'; } >rsecret.toml
exits "a secret in a variable" 2 schedule secret --cron
says "is refused, since no timer has it" 'secret_environment: $HOOK is not set where scheduled checks begin'
{ cat r7.toml; printf '[site.environment]\nHF_TOKEN = { from = "MINE" }\n'; } >rfrom.toml
exits "a job's secret in a variable" 2 schedule from --cron
says "is refused, too" '$MINE is not set where scheduled checks begin'
{ cat r1.toml; printf '[coverage]\ndays = 2\n'; } >rpromise.toml
exits "a promise that one check a week can't keep" 0 schedule promise --cron
says "is remarked" "[coverage] promises each node within 2 days"

# Installed in place of what is there of its name, beside what else is there.
mkdir "$T/bin"
cat >"$T/bin/crontab" <<S
#!/bin/sh
if [ "\$1" = -l ]; then
  [ -e "$T/tab" ] || { echo "no crontab for \$(id -un)" >&2; exit 1; }
  exec cat "$T/tab"
fi
[ "\$1" = - ] && exec cat >"$T/tab"  # a file in a folder of all could be another user's
exit 2
S
chmod +x "$T/bin/crontab"
install() { PATH="$T/bin:$PATH" schedule "$@" --cron --install; }
exits "installed where nothing is" 0 install 7
check "it is there" grep -q '^0 2 \* \* \* cd ' "$T/tab"
{ echo "MAILTO=hpc"; cat "$T/tab"; echo "5 5 * * * true"; } >"$T/tab.new"
mv "$T/tab.new" "$T/tab"
exits "installed again at another time" 0 install 7 --at 04:30
check "once" [ "$(grep -c ' regress ' "$T/tab")" = 1 ]
check "at the new time" grep -q '^30 4 \* \* \* cd ' "$T/tab"
check "what else is there stays" sh -c "head -n 1 '$T/tab' | grep -qx MAILTO=hpc && tail -n 1 '$T/tab' | grep -qx '5 5 \* \* \* true'"
cp "$T/tab" "$T/whole"
grep -v 'regress-r7 ends' "$T/whole" >"$T/tab"
cp "$T/tab" "$T/torn"
exits "a block whose end is missing" 2 install 7
says "is refused with its line" "crontab, line 2: '# shakedown-regress-r7 begins' has no line"
check "and nothing is lost" cmp "$T/tab" "$T/torn"
printf '#!/bin/sh\necho "you may not use this" >&2\nexit 1\n' >"$T/bin/crontab"
exits "a crontab that refuses" 4 install 7
says "in its words" "you may not use this"
finish
