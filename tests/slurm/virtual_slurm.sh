#!/bin/sh
# A real Slurm of virtual nodes on this host, for tests: no systemd, no cgroups, no root needed.
#   virtual_slurm.sh start DIR NODE_LINES   NODE_LINES: slurm.conf's NodeName lines without host, port and state
#   virtual_slurm.sh stop DIR
#   virtual_slurm.sh controller DIR         starts its slurmctld again
#   virtual_slurm.sh node DIR NAME          starts a node's slurmd again
# SLURM_CONF is DIR/slurm.conf. Each node's slurmd has its own port on 127.0.0.1.
# Lines of slurm.conf: VIRTUAL_SLURM_MORE come last of the settings and count before ours, VIRTUAL_SLURM_PARTITIONS
# are instead of the one partition.
set -eu
command=$1 D=$2
export SLURM_CONF="$D/slurm.conf"
# A block of 250 ports each: instances that begin at once must not share any.
port=$((10000 + $$ % 79 * 250))

# add_gpus NODE TYPE COUNT: Slurm takes character devices alone, whichever.
add_gpus() {
  for i in $(seq "$3"); do ln -sf /dev/null "$D/gpu-$1-$((i - 1))"; done
  echo "NodeName=$1 Name=gpu Type=$2 File=$D/gpu-$1-[0-$(($3 - 1))]" >>"$D/gres.conf"
}

start() {
  # Our commands would reach whoever listens there: the next block that nobody uses.
  blocks=79
  while grep -q ":$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp; do
    port=$((10000 + (port - 10000 + 250) % (79 * 250)))
    blocks=$((blocks - 1))
    [ "$blocks" -gt 0 ] || { echo "no block of ports is free from 10000 on" >&2; return 1; }
  done
  me=$(id -un) host=$(hostname -s)
  mkdir -p "$D/state" "$D/log"
  cat >"$SLURM_CONF" <<CONF
ClusterName=virtual
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/none
CredType=cred/none
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool-%n
TmpFS=$D/tmp-%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
EnforcePartLimits=ALL
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=60
KillWait=2
MinJobAge=300
MessageTimeout=5
CONF
  # A key that stands twice is complained of.
  if [ -n "${VIRTUAL_SLURM_MORE-}" ]; then
    keys=$(printf '%s\n' "$VIRTUAL_SLURM_MORE" | sed 's/=.*//' | paste -sd '|')
    grep -vE "^($keys)=" "$SLURM_CONF" >"$SLURM_CONF.ours"
    { cat "$SLURM_CONF.ours"; printf '%s\n' "$VIRTUAL_SLURM_MORE"; } >"$SLURM_CONF"
  fi
  : >"$D/gres.conf"
  names=
  next=$((port + 2))
  while read -r name rest; do
    [ -n "$name" ] || continue
    echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 Port=$next State=UNKNOWN $rest" >>"$SLURM_CONF"
    gpus=$(printf '%s\n' "$rest" | sed -n 's/.*Gres=gpu:\([a-z0-9]*\):\([0-9]*\).*/\1 \2/p')
    [ -z "$gpus" ] || add_gpus "$name" $gpus
    names="$names $name"
    next=$((next + 1))
  done <<LINES
$1
LINES
  printf '%s\n' "${VIRTUAL_SLURM_PARTITIONS:-PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP}" >>"$SLURM_CONF"
  slurmctld -f "$SLURM_CONF"
  for name in $names; do
    mkdir -p "$D/spool-$name" "$D/tmp-$name"
    slurmd -f "$SLURM_CONF" -N "$name"
  done
  wanted=$(echo "$names" | wc -w)
  for _ in $(seq 200); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')" = "$wanted" ] && return
    sleep 0.05
  done
  sinfo -N -l >&2
  return 1
}

# Only processes of this instance, by the ids they wrote. A slurmd waits for its steps: jobs are ended first.
stop() {
  kill -0 "$(cat "$D/slurmctld.pid" 2>/dev/null)" 2>/dev/null || [ -n "$(ls "$D"/slurmd-*.pid 2>/dev/null)" ] || return 0
  timeout 5 scancel --state=PENDING 2>/dev/null || true
  timeout 5 scancel --state=RUNNING 2>/dev/null || true
  for _ in $(seq 40); do
    [ -z "$(timeout 2 squeue -h 2>/dev/null)" ] && break
    sleep 0.05
  done
  pids=
  for file in "$D"/slurmd-*.pid "$D/slurmctld.pid"; do
    [ -f "$file" ] && pids="$pids $(cat "$file")"
  done
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for _ in $(seq 60); do
    alive=
    for pid in $pids; do kill -0 "$pid" 2>/dev/null && alive=1; done
    [ -z "$alive" ] && return 0
    sleep 0.05
  done
  for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done
}

case $command in
start) start "$3" ;;
stop) stop ;;
controller) slurmctld -f "$SLURM_CONF" ;;
node) slurmd -f "$SLURM_CONF" -N "$3" ;;
esac
