#!/bin/sh
# A real Grid Engine of one host for tests, from Debian's packages unpacked somewhere. Installed they would leave
# daemons and a qsub on this machine; here they are seen by the test alone, in a mount namespace of its own.
#   virtual_gridengine.sh enter PACKAGES COMMAND...   runs COMMAND where the packages' files lie over /usr; root only
#   virtual_gridengine.sh start DIR                   within: the cell lies below DIR
#   virtual_gridengine.sh stop DIR
# Who uses it needs SGE_ROOT=DIR/root, and SGE_QMASTER_PORT and SGE_EXECD_PORT as when it was started.
set -eu

# This host's name resolves to itself: an address whose first name is another is refused.
enter() {
  if [ "$1" != --inside ]; then exec unshare -m sh "$0" enter --inside "$@"; fi
  shift
  packages=$1
  shift
  mount --make-rprivate /
  mount -t overlay overlay -o "lowerdir=$packages/usr:/usr" /usr
  hosts=$(mktemp)
  echo "127.0.0.1 $(hostname) localhost" >"$hosts"
  mount --bind "$hosts" /etc/hosts
  rm "$hosts"
  exec "$@"
}

spool() { /usr/lib/gridengine/spooldefaults "$@"; }

# The cell: spooled as text files below DIR, run by whoever calls us.
make_cell() {
  common="$D/root/default/common" shipped=/usr/share/gridengine
  mkdir -p "$common" "$D/qmaster/job_scripts" "$D/execd" "$D/root/util"
  cp "$shipped/util/arch" "$shipped/util/arch_variables" "$D/root/util/"
  cat >"$common/bootstrap" <<CONF
admin_user              none
default_domain          none
ignore_fqdn             false
spooling_method         classic
spooling_lib            libspoolc
spooling_params         $common;$D/qmaster
binary_path             /usr/lib/gridengine
qmaster_spool_dir       $D/qmaster
security_mode           none
listener_threads        1
worker_threads          1
scheduler_threads       1
CONF
  hostname >"$common/act_qmaster"
  /usr/lib/gridengine/spoolinit classic libspoolc "$common;$D/qmaster" init
  sed -e "s|^execd_spool_dir.*|execd_spool_dir $D/execd|" -e 's|^\(min_[ug]id\).*|\1 0|' \
    -e 's|^load_report_time.*|load_report_time 00:00:02|' -e 's|flush_time=[0-9:]*|flush_time=00:00:01|' \
    "$shipped/default-configuration" >"$D/configuration"
  spool configuration "$D/configuration"
  spool complexes "$shipped/util/resources/centry"
  spool usersets "$shipped/util/resources/usersets"
  spool managers "$(id -un)"
}

# One queue with a slot on this host, looked at every second.
make_queue() {
  qconf -ah "$(hostname)" || true
  qconf -as "$(hostname)"
  qconf -ssconf | sed -e 's/^schedule_interval.*/schedule_interval 0:0:1/' \
    -e 's/^\(flush_[a-z]*_sec\).*/\1 1/' >"$D/scheduler"
  qconf -Msconf "$D/scheduler"
  sge_execd
  wait_for 'qconf -sel | grep -q .'
  qconf -sq | sed -e 's/^qname.*/qname all.q/' -e "s/^hostlist.*/hostlist $(hostname)/" -e 's/^slots.*/slots 1/' -e 's/^pe_list.*/pe_list NONE/' \
    -e 's/^load_thresholds.*/load_thresholds NONE/' -e 's/^notify.*/notify 00:00:05/' -e 's|^shell  *.*|shell /bin/sh|' >"$D/queue"
  qconf -Aq "$D/queue"
}

wait_for() { # SHELL LINE
  for _ in $(seq 300); do
    if eval "$1" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  echo "waited in vain for: $1" >&2
  return 1
}

start() {
  mkdir -p "$D"
  make_cell
  sge_qmaster
  wait_for 'qconf -sconf'
  make_queue
  wait_for 'qstat -f | grep -q "^all.q@.* [a-z0-9]*-[a-z0-9]* *$"'
}

is_alive() { [ -n "$(tr -d '\0' </proc/"$1"/cmdline)" ]; } 2>/dev/null # what nobody has waited for is not

# Only processes of this instance, by the ids they wrote.
stop() {
  pids=
  for file in "$D/execd/$(hostname)/execd.pid" "$D/qmaster/qmaster.pid"; do
    [ -f "$file" ] && pids="$pids $(cat "$file")"
  done
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for _ in $(seq 100); do
    alive=
    for pid in $pids; do if is_alive "$pid"; then alive=1; fi; done
    [ -z "$alive" ] && return 0
    sleep 0.1
  done
  for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done
}

command=$1
shift
case $command in
enter) enter "$@" ;;
start | stop) D=$1 && $command ;;
esac
