#!/bin/sh
# A network link that goes down under a running mpirun, which then hangs and does not heed SIGTERM: the case's time
# limit ends it, and the campaign goes on. Two network namespaces stand for two hosts.
. "$(dirname -- "$0")/../cli/check.sh"
. "$(dirname -- "$0")/hpl_dat.sh"
for program in mpirun ip; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin:/sbin
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program here (apt-get install openmpi-bin iproute2)"; exit 77; }
done
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "SKIPPED: not root: no network namespaces"; exit 77; }
one=sd$$a two=sd$$b
trap 'ip netns delete $one 2>/dev/null; ip netns delete $two 2>/dev/null; rm -rf "$T"' EXIT
ip netns add $one && ip netns add $two || { echo "SKIPPED: this machine gives no network namespaces"; exit 77; }
ip link add name sd$$l netns $one type veth peer name sd$$r netns $two
ip -n $one address add 10.213.7.1/24 dev sd$$l
ip -n $two address add 10.213.7.2/24 dev sd$$r
for each in $one $two; do ip -n $each link set lo up; done
ip -n $one link set sd$$l up
ip -n $two link set sd$$r up
# The "remote" shell: the other namespace, with a host name of its own.
cat >"$T/agent" <<SH
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
shift
exec ip netns exec $two unshare --uts sh -c 'hostname sd-two; exec sh -c "\$0"' "\$*"
SH
chmod +x "$T/agent"
(cd "$T" && write_hpl_dat 12000 128 0 1 2 16.0)
cat >"$T/run.sh" <<SH
cp "$T/HPL.dat" .
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec ip netns exec $one mpirun --allow-run-as-root --oversubscribe --bind-to none --mca plm_rsh_agent "$T/agent" \
  --mca oob_tcp_if_include 10.213.7.0/24 --mca btl self,tcp --mca btl_tcp_if_include 10.213.7.0/24 \
  --host 10.213.7.1:1,10.213.7.2:1 -np 2 "$LIBEXEC/hpl"
SH
cat >"$T/plan.json" <<JSON
{"schema":"shakedown.plan/1","system":"test","cases":[
 {"id":"hangs","suite":"hpl","parser":"hpl","argv":["/bin/sh","$T/run.sh"],"time_limit_s":20},
 {"id":"next","argv":["/bin/sh","-c","echo x >>../ends"]}]}
JSON
"$SHAKEDOWN" run --plan "$T/plan.json" -w "$T/w" --here >"$T/run.out" 2>&1 &
orchestrator=$!
for _ in $(seq 100); do
  grep -q '^N      :   12000' "$T"/w/campaigns/*/hangs/attempt-1/stdout.log 2>/dev/null && break
  sleep 0.1
done
check "HPL has begun on both" grep -q "^N      :   12000" "$T"/w/campaigns/*/hangs/attempt-1/stdout.log
sleep 2
ip -n $one link set sd$$l down
wait "$orchestrator"
check "the campaign ends" [ $? = 3 ]
"$SHAKEDOWN" status -w "$T/w" >"$T/status"
check "the case at its time limit" grep -q '^  timed-out  *hangs' "$T/status"
check "the next one ran" grep -q '^  finished  *next' "$T/status"
check "once" [ "$(cat "$T"/w/campaigns/*/next/ends)" = x ]
check "nothing of it is left" [ -z "$(ip netns pids $one; ip netns pids $two)" ]
finish
