#!/bin/sh
# Whom a check is told to: a command, a webhook on this machine. Secrets stand nowhere else than where they were put, and
# a notification that fails changes no verdict.
. "$(dirname -- "$0")/checks.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
command -v curl >/dev/null || { echo "SKIPPED: no curl here (apt-get install curl)"; exit 77; }
floor='[[floor.limits]]\nsuite = "gemm"\nmetric = "fp64_gflops"\nlimit = 1000\n'
notice() { config "$2" "[alarm]\nruns = 1\n[notify]\n$1\n$floor"; }

printf '#!/bin/sh\ncat >"%s/told.$1"\n' "$T" >teller
printf '#!/bin/sh\necho no line; exit 7\n' >broken
printf '#!/bin/sh\nexec sleep 60\n' >slow
chmod +x teller broken slow
notice "command = [\"$T/teller\", \"a b\"]" command.toml
exits "a check below its floor" 1 regress_once command.toml
check "is told by the command, argument by argument" python3 - "told.a b" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "shakedown.notification/1" and d["exit_code"] == 1, d
assert d["sentence"].startswith("regression check: below the contract's floor: gemm/reference"), d
assert d["series"][0]["floor"] == 1000 and d["series"][0]["value"] < 1000, d
assert d["report"].endswith("/report.html"), d
P
notice "command = [\"$T/broken\"]" broken.toml
exits "a command that fails" 1 regress_once broken.toml
says "changes no verdict, and is said" "not notified: $T/broken: the notification failed with exit code 7: no line"
printf '#!/bin/sh\ncp "%s/early.prom" "%s/then.prom"\n' "$T" "$T" >early
chmod +x early
notice "command = [\"$T/early\"]" early.toml
exits "a check with metrics" 1 regress_once early.toml --metrics early.prom
check "has written them before it tells" grep -q '^shakedown_series_below_floor{.*} 1$' then.prom
rm w/regression-metrics.json  # as a check leaves it that is killed while it tells
sed '/^\[notify/,$d' early.toml >gone.toml
printf '[[runs]]\nsuite = "hpl"\nimplementation = "nvidia"\n' >>gone.toml
exits "a check that fails behind one that was cut short behind its verdict" 2 regress_once gone.toml --metrics late.prom
check "has made up for its metrics" grep -q '^shakedown_series_below_floor{.*} 1$' late.prom
notice "command = [\"$T/slow\"]\ntimeout_seconds = 1" slow.toml
exits "a command that hangs" 1 regress_once slow.toml
says "is ended in time" "not notified: $T/slow: no answer within 1 s"
notice "command = [\"$T/nobody\"]" nobody.toml
exits "a command that is not there" 1 regress_once nobody.toml
says "is said" "no such program in PATH"

# A webhook on this machine that stops by itself: after seven requests, or two minutes.
cat >server.py <<'P'
import http.server, json, threading, os
class Hook(http.server.BaseHTTPRequestHandler):
    count = 0
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        json.dump({"headers": dict(self.headers), "body": json.loads(body)}, open("hooked.new", "w"))
        os.rename("hooked.new", "hooked.json")
        Hook.count += 1
        self.send_response({"/hook": 200, "/moved": 302}.get(self.path, 500))
        if self.path == "/moved": self.send_header("Location", "/login")
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
open("port.new", "w").write(str(server.server_port)); os.rename("port.new", "port")
server.timeout = 60
timer = threading.Timer(120, lambda: os._exit(1)); timer.daemon = True; timer.start()
while Hook.count < 7: server.handle_request()
P
python3 server.py &
server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done
port=$(cat port)
secret='Bearer hunter2 "quoted" \\ % $HOME'
printf '%s\n' "$secret" >secret
mkdir bin
cat >bin/curl <<S
#!/bin/sh
printf '%s ' "\$@" >>"$T/curl.argv"
exec "$(command -v curl)" "\$@"
S
chmod +x bin/curl
notice "url = \"http://127.0.0.1:$port/hook\"\nsecret_file = \"$T/secret\"" hook.toml
exits "a webhook with a secret from a file" 1 env PATH="$T/bin:$PATH" "$SHAKEDOWN" regress --here --config hook.toml -w w --progress none -v
check "gets the secret and the notification" python3 - "$secret" <<'P'
import json, sys
d = json.load(open("hooked.json"))
assert d["headers"]["Authorization"] == sys.argv[1], d
assert d["headers"]["Content-Type"] == "application/json", d
assert d["body"]["schema"] == "shakedown.notification/1", d
P
check "curl's command line names neither secret nor address" sh -c "[ -s curl.argv ] && ! grep -qe hunter2 -e 127.0.0.1 curl.argv"
check "the secret is nowhere in the workspace or what was said" sh -c "! grep -rqF hunter2 w '$T/out' '$T/err'"
rm hooked.json
notice "url = \"http://127.0.0.1:$port/hook\"\nheader = \"X-Token\"\nsecret_environment = \"HOOK_SECRET\"" variable.toml
exits "a secret from a variable" 1 env HOOK_SECRET=hunter3 "$SHAKEDOWN" regress --here --config variable.toml -w w --progress none
check "comes in the header that is named" grep -q '"X-Token": "hunter3"' hooked.json
check "and is nowhere else" sh -c "! grep -rqF hunter3 w '$T/out' '$T/err'"
exits "a variable that is not set" 1 regress_once variable.toml
says "is said" 'not notified: $HOOK_SECRET: is not set'
notice "url = \"http://127.0.0.1:$port/wrong\"" wrong.toml
exits "a webhook that answers 500" 1 regress_once wrong.toml
says "changes no verdict, and is said" "not notified: webhook: the notification failed with exit code 22"
notice "url = \"http://127.0.0.1:$port/moved\"" moved.toml
exits "a webhook that answers 302" 1 regress_once moved.toml
says "has told nobody" "not notified: webhook: answered with status 302"
wait $server
check "the webhook has stopped" [ $? = 0 ]
notice "url = \"http://127.0.0.1:$port/hook\"" gone.toml
exits "a webhook that is gone" 1 regress_once gone.toml
says "is said, too" "not notified: webhook: the notification failed with exit code 7"

floor=
notice "command = [\"$T/teller\", \"quiet\"]" quiet.toml
exits "a check without alarm" 0 regress_once quiet.toml
check "sends the notification that failed before" grep -q '"exit_code": 1' told.quiet
rm told.quiet
exits "one more" 0 regress_once quiet.toml
check "tells nobody" [ ! -e told.quiet ]
sed 's/^command/always = true\n&/' quiet.toml >always.toml
exits "but where it always does" 0 regress_once always.toml
check "it does" [ -s told.quiet ]
finish
