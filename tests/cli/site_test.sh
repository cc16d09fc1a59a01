#!/bin/sh
# The history page: written from the store, and served to a browser on this machine, which may only read.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
command -v curl >/dev/null 2>&1 || { echo "SKIPPED: curl is not installed"; exit 77; }

exits "no workspace" 2 "$SHAKEDOWN" site -w none -o site.html
says "says so" "no campaign here"
check "and writes nothing" [ ! -e site.html ]
# A store without a campaign.
LINE=true
plan_of plan.json good
exits "a campaign" 3 "$SHAKEDOWN" run --here --plan plan.json -w w --progress none
exits "taken away" 0 "$SHAKEDOWN" remove "$(ls w/campaigns)" -w w --yes
exits "a store without campaigns" 0 "$SHAKEDOWN" site -w w -o empty.html
says "gives a page" "0 systems, 0 campaigns"
check "that says what to do" grep -q 'This workspace has no campaign yet' empty.html

exits "one campaign" 3 "$SHAKEDOWN" run --here --plan plan.json -w w --progress none
id=$(ls w/campaigns)
exits "its page" 0 "$SHAKEDOWN" site -w w -o site.html
says "is counted" "1 system, 1 campaign"
check "holds the campaign's id" grep -q "$id" site.html
check "and a document" grep -q '"schema":"shakedown.site/1"' site.html
check "with the address of its report, from the page's folder" grep -q "w/campaigns/$id/report.html" site.html
check "and a summary for readers without script" grep -q '<section><h2>test</h2>' site.html
check "and no place left to fill in" sh -c '! grep -qF -e "<!--STATIC-->" -e "/*DATA*/" site.html'
cp site.html first.html
exits "once more" 0 "$SHAKEDOWN" site -w w -o site.html
check "the same bytes" cmp site.html first.html
exits "by default" 0 "$SHAKEDOWN" site -w w
check "in the workspace" grep -q "\"campaigns/$id/report.html\"" w/site.html
exits "as JSON" 0 "$SHAKEDOWN" site -w w -o site.html --json
check "one document" python3 -c "
import json
d = json.load(open('out'))
assert d['schema'] == 'shakedown.site-file/1' and d['campaigns'] == 1 and d['file'] == 'site.html' and d['bytes'] > 50000"

exits "since tomorrow" 0 "$SHAKEDOWN" site -w w -o later.html --since 2100-01-01
says "leaves it out" "1 campaign before 2100-01-01 left out"
check "and has no system" sh -c '! grep -q "<section><h2>test" later.html'
exits "since long ago" 0 "$SHAKEDOWN" site -w w -o all.html --since 2001-01-01
says "has it" "1 campaign"
exits "a date that is none" 2 "$SHAKEDOWN" site -w w --since yesterday
says "shows how it is written" "write it as 2026-01-31"
exits "one system" 0 "$SHAKEDOWN" site -w w -o one.html --system test
exits "a system that it does not have" 2 "$SHAKEDOWN" site -w w --system tset
says "names the nearest" "did you mean 'test'?"
mkdir folder
exits "a folder in the file's place" 4 "$SHAKEDOWN" site -w w -o folder
exits "a folder that is not there" 4 "$SHAKEDOWN" site -w w -o nowhere/site.html
says "names it" "nowhere"
exits "options of --serve without it" 2 "$SHAKEDOWN" site -w w --port 9
says "says whose they are" "are of --serve"
exits "a file with --serve" 2 "$SHAKEDOWN" site -w w --serve -o x.html

exits "an address that others reach, without a token" 2 "$SHAKEDOWN" site -w w --serve --listen 0.0.0.0 --port 0
says "is refused with the way out" "add --token FILE"
exits "a name for an address" 2 "$SHAKEDOWN" site -w w --serve --listen example.org
says "is none" "no numeric address"
echo short >token
chmod 600 token
exits "a short token" 2 "$SHAKEDOWN" site -w w --serve --token token
says "is refused" "is no token"
echo abcdefghijklmnop0123456789 >token
chmod 644 token
exits "a token that others can read" 2 "$SHAKEDOWN" site -w w --serve --token token
says "is refused, too" "chmod 600 token"
chmod 600 token

# serve OPTION...: $address and $server.
serve() {
  : >serving
  "$SHAKEDOWN" site -w w --serve --port 0 "$@" >serving 2>serving.err &
  server=$!
  for _ in $(seq 100); do
    address=$(sed -n 's,^serving  \(http://[^/]*\)/.*,\1,p' serving)
    [ -n "$address" ] && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  fail "the server did not begin: $(cat serving.err)"
}
# code OPTION...: the status of an answer.
code() { curl -s -o body -D header -m 10 -w '%{http_code}' "$@"; }

serve
check "the page" [ "$(code "$address/")" = 200 ]
check "is live" grep -q '"live":true' body
check "with headers that protect it" sh -c 'grep -qi "^x-content-type-options: nosniff" header && grep -qi "^x-frame-options: deny" header && grep -qi "^referrer-policy: no-referrer" header'
check "progress" [ "$(code "$address/progress.json")" = 200 ]
check "of no campaign" python3 -c "
import json
d = json.load(open('body'))
assert d['schema'] == 'shakedown.live/1' and d['campaigns'] == []"
check "a report" [ "$(code "$address/campaigns/$id/report.html")" = 200 ]
check "is that file" cmp -s body "w/campaigns/$id/report.html"
for path in /nothing /campaigns/../results.sqlite /campaigns/..%2f..%2fw/report.html /campaigns/$id/plan.json /../w/results.sqlite /campaigns//report.html; do
  check "no $path" [ "$(code --path-as-is "$address$path")" = 404 ]
done
for method in POST PUT DELETE OPTIONS; do
  check "no $method" [ "$(code -X "$method" "$address/")" = 405 ]
done
check "no POST with a body" [ "$(code -d x=1 "$address/")" = 405 ]
check "HEAD" [ "$(code -I "$address/")" = 200 ]
check "no other host's name" [ "$(code -H 'Host: evil.example' "$address/")" = 421 ]
check "localhost is one" [ "$(code -H 'Host: localhost' "$address/")" = 200 ]
head -c 20000 /dev/zero | tr '\0' a >long
check "no endless header" [ "$(code -H "X-Long: $(cat long)" "$address/")" != 200 ]
port=${address##*:}
hash ip 2>/dev/null && other=$(ip -4 -o addr show scope global 2>/dev/null | awk '{ sub("/.*", "", $4); print $4; exit }')
if [ -n "${other-}" ]; then
  check "not at another address of this machine" [ "$(code "http://$other:$port/")" = 000 ]
fi
exits "a port that is taken" 4 "$SHAKEDOWN" site -w w --serve --port "$port"
says "names another way" "--port N"

LINE="sleep 30"
plan_of long.json long
"$SHAKEDOWN" run --here --plan long.json -w w --progress none >/dev/null 2>&1 &
runner=$!
running=
for _ in $(seq 100); do
  code "$address/progress.json" >/dev/null
  running=$(python3 -c "
import json
d = json.load(open('body'))
print(''.join(r['case'] for c in d['campaigns'] for r in c['progress'].get('running', [])))")
  [ -n "$running" ] && break
  sleep 0.3
done
check "a running case is seen" [ "$running" = long ]
"$SHAKEDOWN" cancel -w w >/dev/null 2>&1
wait "$runner"
sleep 6
check "its campaign is in the page" sh -c "[ \"\$(curl -s -m 10 $address/ | grep -o '<h2>test' | wc -l)\" = 1 ] && curl -s -m 10 $address/ | grep -q '2 campaigns in this history'"
kill -INT "$server"
wait "$server"
check "Ctrl-C ends it well" [ "$?" = 0 ]

serve --listen 127.0.0.1 --token token
check "without the token nothing" [ "$(code "$address/")" = 401 ]
check "nor with another" [ "$(code "$address/?token=abcdefghijklmnop0123456780")" = 401 ]
check "with it a cookie" [ "$(code "$address/?token=$(cat token)")" = 303 ]
code --path-as-is "$address//elsewhere.example/?token=$(cat token)" >/dev/null
check "and leads to no other host" grep -qix 'location: /.\{0,1\}' header
code "$address/?token=$(cat token)" >/dev/null
check "that no script reads" grep -qi '^set-cookie: shakedown_token=.*HttpOnly; SameSite=Strict' header
check "and no token in the address" grep -qi '^location: /.\{0,1\}$' header
check "which opens it" [ "$(code -b "shakedown_token=$(cat token)" "$address/")" = 200 ]
check "as does a header" [ "$(code -H "Authorization: Bearer $(cat token)" "$address/progress.json")" = 200 ]
kill -TERM "$server"
wait "$server"
check "SIGTERM ends it, too" [ "$?" = 0 ]
finish
