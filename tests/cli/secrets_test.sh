#!/bin/sh
# Ten secrets of ten kinds reach the program, and stand in nothing else than one file of mode 0600, which goes when the
# campaign has ended: not in workspace, report, store, plan, job script, terminal or process list.
. "$(dirname -- "$0")/check.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
umask 022
cd "$T" || exit 1
cat >site.toml <<'C'
title = "Secrets"
# HF_TOKEN = "planted-in-a-comment-10"
[site]
launcher = "mpirun"
[site.environment]
HF_TOKEN = "planted-token-01"
SITE_JWT = "planted-jwt-03"
DB_PASSWORD = "planted' $(pass) \"word\" 04"
AWS_SECRET_ACCESS_KEY = 'planted/aws+05'
http_proxy = "http://planted-user:planted-proxy-06@proxy:3128"
ODD_ONE = { value = "planted-odd-07", secret = true }
FROM_ME = { from = "MY_HIDDEN" }
OMPI_MCA_odd = { value = "planted-mca-11", secret = true }
[[site.programs]]
implementation = "hpl/netlib"
program = "PROGRAM"
environment = { WANDB_API_KEY = "planted-key-02" }
[[runs]]
suite = "hpl"
implementation = "netlib"
C
sed -i "s|PROGRAM|$T/xhpl|" site.toml
cat >planted <<'S'
planted-token-01
planted-key-02
planted-jwt-03
planted' $(pass)
planted/aws+05
planted-user
planted-proxy-06
planted-odd-07
planted-from-08
planted-inherited-09
planted-in-a-comment-10
planted-mca-11
planted-by-hand-12
S
# The program tells what it was given in a place of its own, what every user can see of the processes, and, careless as
# programs are, its token.
cat >xhpl <<'X'
#!/bin/sh
if [ "${OMPI_COMM_WORLD_RANK:-0}" = 0 ]; then
  echo "login with $HF_TOKEN, not with $NCCL_SITE_TOKEN"
  echo "cannot log in: $HF_TOKEN refused" >&2
  [ ! -e T/waits ] || { touch T/began; sleep 60; }
  for i in 1 2 3; do cat /proc/[0-9]*/cmdline; sleep 0.1; done 2>/dev/null >>T/cmdlines
  grep -rlaFf T/planted --include='*' T/w >>T/holders
  stat -c '%a %n' T/w/campaigns/*/secrets.env >>T/modes
  printf '%s\n' "$HF_TOKEN" "$WANDB_API_KEY" "$SITE_JWT" "$DB_PASSWORD" "$AWS_SECRET_ACCESS_KEY" "$http_proxy" \
    "$ODD_ONE" "$FROM_ME" "$NCCL_SITE_TOKEN" "$OMPI_MCA_odd" >T/given
  [ ! -e T/fails ] || exit 1
  cat "FIXTURES/hpl/reference-passed.out"
fi
X
sed -i "s|T/|$T/|g; s|FIXTURES|$PROJECT/tests/fixtures|" xhpl
chmod +x xhpl
cat >expected <<'S'
planted-token-01
planted-key-02
planted-jwt-03
planted' $(pass) "word" 04
planted/aws+05
http://planted-user:planted-proxy-06@proxy:3128
planted-odd-07
planted-from-08
planted-inherited-09
planted-mca-11
S
export MY_HIDDEN=planted-from-08 NCCL_SITE_TOKEN=planted-inherited-09
free_of_secrets() { # WHAT FILE...
  what=$1
  shift
  check "$what: no secret" sh -c '! grep -raFf planted "$@"' sh "$@"
}

exits "plan" 0 "$SHAKEDOWN" plan --config site.toml -o plan.json
free_of_secrets "the plan and what is said of it" plan.json out err
exits "plan --explain" 0 "$SHAKEDOWN" plan --config site.toml --explain --json
free_of_secrets "plan --explain" out err
exits "run --dry-run" 0 "$SHAKEDOWN" run --config site.toml --dry-run -w w
says "shows where a secret will be" "export HF_TOKEN='(secret)'"
says "and what of an address is none" "@proxy:3128"
free_of_secrets "--dry-run" out err
check "runs nothing" [ ! -e w ]

run() { "$SHAKEDOWN" run --here "$@" -w w --progress none; }
run --config site.toml --json-events events.jsonl --metrics metrics.prom >out 2>err
check "the program was given each of them" diff -u expected given
check "while it ran the one file of mode 0600 held them, and what the program itself had written" \
  sh -c "sort -u holders | grep -v '/std[a-z]*\.log$' | tee rest; [ \"\$(sed 's|.*/||' rest)\" = secrets.env ]"
check "and its mode was that" grep -q '^600 ' modes
free_of_secrets "the process list" cmdlines
free_of_secrets "the terminal, the events and the metrics" out err events.jsonl metrics.prom
check "with the campaign's end the file is gone" [ -z "$(find w -name secrets.env)" ]
the_rest() { find w -type f ! -name stdout.log ! -name stderr.log -exec grep -laFf planted {} +; }
check "no file of ours has one" [ -z "$(the_rest)" ]
check "nor the store's rows" sh -c "sqlite3 w/results.sqlite .dump >dump; ! grep -qaFf planted dump"
"$SHAKEDOWN" report -o reported -w w >out 2>err
free_of_secrets "report" reported out err
check "the report says what was masked" grep -q "login with (secret), not with (secret)" reported/report.html
check "a variable that the operator's environment has is masked by its name" \
  sh -c "cat w/campaigns/*/*/attempt-1/environment.json | grep -q '\"environment NCCL_SITE_TOKEN\": \"(secret)\"'"
check "one that is marked, by its mark" \
  sh -c "cat w/campaigns/*/*/attempt-1/environment.json | grep -q '\"environment OMPI_MCA_odd\": \"(secret)\"'"
check "files with the environment are their owner's alone" \
  [ -z "$(find w -name 'environment*.json' ! -perm 600)" ]
check "folders are closed to others" [ -z "$(find w -type d ! -perm 750)" ]
check "the campaign is what it was bound to" sh -c "! grep -q 'that the campaign was bound to' w/campaigns/*/results.json"

# By hand it says what is missing, and takes it from the environment.
job=$(ls "$T"/w/campaigns/*/*/attempt-1/job.sh)
sh "$job" >out 2>err
says "job.sh by hand asks for what is gone" "is a secret: export it first"

# What failed is quoted without them; a later orchestrator has what an earlier one was given.
touch fails waits
"$SHAKEDOWN" run --here --config site.toml -w w --progress none >out 2>err &
pid=$!
for i in $(seq 200); do [ ! -e began ] || break; sleep 0.1; done
kill -INT $pid
wait $pid
check "interrupted" [ $? = 130 ]
newest=$(ls -d w/campaigns/* | tail -n 1)
check "the secrets of what is left stay, closed" [ "$(stat -c %a "$newest/secrets.env")" = 600 ]
rm -f waits given
(unset MY_HIDDEN; "$SHAKEDOWN" resume --here -w w --progress none) >out 2>err
check "resume has them" diff -u expected given
check "then the file is gone" [ -z "$(find w -name secrets.env)" ]
check "the failure is quoted without" sh -c "grep -q 'cannot log in: (secret) refused' $newest/results.json"
free_of_secrets "the terminal" out err
check "no file of ours has one now" [ -z "$(the_rest)" ]
rm fails

# A cancelled campaign leaves no secrets behind, whether its orchestrator is there to end it or not; resume has them
# from the configuration and the environment again.
for how in orchestrator nobody; do
  rm -rf c began given
  touch waits
  setsid "$SHAKEDOWN" run --here --config site.toml -w c --progress none >out 2>err &
  pid=$!
  for i in $(seq 200); do [ ! -e began ] || break; sleep 0.1; done
  check "$how: while it runs the secrets are there" [ -e c/campaigns/*/secrets.env ]
  [ $how = orchestrator ] || { kill -KILL $pid; wait $pid 2>/dev/null; }
  exits "$how: cancel" 0 "$SHAKEDOWN" cancel -w c
  if [ $how = orchestrator ]; then
    wait $pid
  else
    for i in $(seq 100); do "$SHAKEDOWN" cancel -w c >out 2>err; ! grep -q 'nothing runs' out || break; sleep 0.1; done
  fi
  check "$how: a cancelled campaign leaves no file of secrets" [ ! -e c/campaigns/*/secrets.env ]
  rm -f waits given
  (unset MY_HIDDEN; "$SHAKEDOWN" resume --here -w c --progress none) >out 2>err
  says "$how: resume says what is not set" "MY_HIDDEN"
  "$SHAKEDOWN" resume --here -w c --progress none >out 2>err
  check "$how: resume provides them again" diff -u expected given
  check "$how: and removes them" [ -z "$(find c -name secrets.env)" ]
  check "$how: no file of ours has one" [ -z "$(find c -type f ! -name stdout.log ! -name stderr.log -exec grep -laFf planted {} +)" ]
done

# A lost store is made again from the run directories, whose logs have what the program printed: without the values,
# which are gone, none of it is quoted.
mv w/results.sqlite old.sqlite
for each in w/campaigns/*; do
  (unset MY_HIDDEN NCCL_SITE_TOKEN; "$SHAKEDOWN" import "$each" -w w && "$SHAKEDOWN" report "$(basename "$each")" -w w) >>out 2>>err
done
check "no file of ours has one after an import" [ -z "$(the_rest)" ]
check "nor the new store's rows" sh -c "sqlite3 w/results.sqlite .dump >dump; grep -q 'exec' dump && ! grep -qaFf planted dump"
free_of_secrets "the terminal" out err

# A plan that is carried elsewhere finds them where it is run, or says which are missing.
mv site.toml moved.toml
exits "a plan without its configuration" 4 run --plan plan.json
says "names what is missing" "HF_TOKEN, SITE_JWT, DB_PASSWORD, AWS_SECRET_ACCESS_KEY, http_proxy, ODD_ONE, OMPI_MCA_odd, WANDB_API_KEY: are not set"
says "and the way out" "export HF_TOKEN=... "
before=$(ls w/campaigns | wc -l)
check "and makes no campaign" [ "$before" = 2 ]
rm -f given
exits "beside the configuration" 3 run --plan plan.json --config moved.toml
check "has all" diff -u expected given
moved() { (. ./values; run --plan plan.json); }
cat >values <<'V'
export HF_TOKEN=planted-token-01 SITE_JWT=planted-jwt-03 DB_PASSWORD="planted' \$(pass) \"word\" 04" ODD_ONE=planted-odd-07
export AWS_SECRET_ACCESS_KEY=planted/aws+05 OMPI_MCA_odd=planted-mca-11 WANDB_API_KEY=planted-key-02
export http_proxy=http://planted-user:planted-proxy-06@proxy:3128
V
rm -f given
exits "in an environment that has them" 3 moved
check "has all, too" diff -u expected given

# A plan that a person wrote with its secrets: they stay in it, and go nowhere else.
hand() { # ARGUMENT
  cat >hand.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[{"id":"x","argv":["/bin/sh","-c","echo \$MY_TOKEN >$T/given; cat /proc/[0-9]*/cmdline >>$T/cmdlines","$1"],
 "environment":{"MY_TOKEN":"planted-by-hand-12"}}]}
P
}
hand plain
run --plan hand.json >out 2>err
check "a plan by hand gives its program what it states" [ "$(cat given)" = planted-by-hand-12 ]
free_of_secrets "the terminal" out err
check "no file of ours has that either" [ -z "$(the_rest)" ]
for word in planted-by-hand-12 --token=abcd https://me:pass@site/; do
  hand "$word"
  exits "a secret in a command line" 2 run --plan hand.json
  says "is refused" "its command line"
  says "with the way out" "give it to the program as a variable of the environment"
done
free_of_secrets "the process list to the end" cmdlines

# What the umask leaves open is closed all the same, and what an operator opened stays open.
hand plain
sh -c "umask 0; exec \"$SHAKEDOWN\" run --here --plan hand.json -w open --progress none" >out 2>err
check "no folder is open with umask 0" [ -z "$(find open -type d ! -perm 750)" ]
chmod 755 open open/campaigns
"$SHAKEDOWN" run --here --plan hand.json -w open --progress none >out 2>err
check "a workspace that was opened stays so" [ "$(stat -c %a open open/campaigns | tr '\n' ' ')" = "755 755 " ]
finish
