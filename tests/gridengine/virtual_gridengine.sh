#!/bin/sh
# A real Grid Engine of one host for tests, from Debian's packages unpacked somewhere: nothing is installed, and
# nothing outside DIR is written.
#   virtual_gridengine.sh start DIR PACKAGES   PACKAGES: the folder that the packages were unpacked into
#   virtual_gridengine.sh stop DIR
#   virtual_gridengine.sh environment DIR      prints what a shell must set to use it
# This host's name must not resolve to the address of another name before it: see `own_hosts`.
set -eu
command=$1 D=$2
port=${VIRTUAL_GRIDENGINE_PORT:-$((20000 + $$ % 20000))}
host=$(hostname)

environment() {
  packages=$(cat "$D/packages")
  cat <<SET
export SGE_ROOT='$D/root' SGE_CELL=default SGE_QMASTER_PORT=$(cat "$D/port") SGE_EXECD_PORT=$(($(cat "$D/port") + 1))
export LD_LIBRARY_PATH='$packages/usr/lib/gridengine:$packages/usr/lib/$(uname -m)-linux-gnu'
export PATH='$packages/usr/lib/gridengine':"\$PATH"
SET
}

spool() { spooldefaults.bin "$@" >>"$D/log" 2>&1; }

# The cell: spooled as text files below DIR, run by whoever calls us.
make_cell() {
  common="$D/root/default/common"
  mkdir -p "$common" "$D/qmaster/job_scripts" "$D/execd" "$D/root/util"
  cp "$packages/usr/share/gridengine/util/arch" "$packages/usr/share/gridengine/util/arch_variables" "$D/root/util/"
  cat >"$common/bootstrap" <<CONF
admin_user              none
default_domain          none
ignore_fqdn             false
spooling_method         classic
spooling_lib            libspoolc
spooling_params         $common;$D/qmaster
binary_path             $packages/usr/lib/gridengine
qmaster_spool_dir       $D/qmaster
security_mode           none
listener_threads        1
worker_threads          1
scheduler_threads       1
CONF
  echo "$host" >"$common/act_qmaster"
  spoolinit classic libspoolc "$common;$D/qmaster" init >>"$D/log" 2>&1
  sed -e "s|^execd_spool_dir.*|execd_spool_dir $D/execd|" -e 's|^\(min_[ug]id\).*|\1 0|' \
    -e 's|^load_report_time.*|load_report_time 00:00:02|' -e 's|flush_time=[0-9:]*|flush_time=00:00:01|' \
    -e 's|^execd_params.*|execd_params PTF_MIN_PRIORITY=0|' \
    "$packages/usr/share/gridengine/default-configuration" >"$D/configuration"
  spool configuration "$D/configuration"
  spool complexes "$packages/usr/share/gridengine/util/resources/centry"
  spool usersets "$packages/usr/share/gridengine/util/resources/usersets"
  spool managers "$(id -un)"
}

# One queue with a slot on this host, looked at every second.
make_queue() {
  qconf -ah "$host" || true
  qconf -as "$host"
  qconf -ssconf | sed -e 's/^schedule_interval.*/schedule_interval 0:0:1/' -e 's/^flush_\(submit\|finish\)_sec.*/flush_\1_sec 1/' \
    -e 's/^load_adjustment_decay_time.*/load_adjustment_decay_time 0:0:0/' -e 's/^job_load_adjustments.*/job_load_adjustments NONE/' >"$D/scheduler"
  qconf -Msconf "$D/scheduler"
  sge_execd
  for _ in $(seq 100); do
    qconf -sel 2>/dev/null | grep -q . && break
    sleep 0.1
  done
  qconf -sq 2>/dev/null | sed -e 's/^qname.*/qname all.q/' -e "s/^hostlist.*/hostlist $host/" -e 's/^slots.*/slots 1/' \
    -e 's/^load_thresholds.*/load_thresholds NONE/' -e 's/^notify.*/notify 00:00:05/' -e 's|^shell  *.*|shell /bin/sh|' >"$D/queue"
  qconf -Aq "$D/queue"
}

start() {
  packages=$3
  mkdir -p "$D"
  echo "$packages" >"$D/packages"
  echo "$port" >"$D/port"
  eval "$(environment)"
  make_cell
  sge_qmaster
  for _ in $(seq 100); do
    qconf -ss >/dev/null 2>&1 && break
    sleep 0.1
  done
  make_queue >>"$D/log" 2>&1
  for _ in $(seq 300); do
    qstat -f 2>/dev/null | grep -q "^all.q@.* [0-9.]* *[a-z0-9-]* *$" && return
    sleep 0.1
  done
  qstat -f >&2
  return 1
}

# Only processes of this instance, by the ids they wrote.
stop() {
  pids=
  for file in "$D/execd/$host/execd.pid" "$D/qmaster/qmaster.pid"; do
    [ -f "$file" ] && pids="$pids $(cat "$file")"
  done
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for _ in $(seq 100); do
    alive=
    for pid in $pids; do kill -0 "$pid" 2>/dev/null && alive=1; done
    [ -z "$alive" ] && return 0
    sleep 0.1
  done
  for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done
}

case $command in
start) start "$@" ;;
stop) stop ;;
environment) environment ;;
esac
