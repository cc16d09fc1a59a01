#!/bin/sh
# doctor names what is missing here and what mends it; what only some paths need does not fail.
. "$(dirname -- "$0")/check.sh"

"$SHAKEDOWN" doctor -w "$T/w" >"$T/doctor" 2>&1
first=$?
check "doctor says ok or that something is missing" sh -c "[ $first = 0 ] || [ $first = 4 ]"
for name in "BLAS" "space for runs" "open files" "locked memory" "Slurm's commands" "container runtime" "NVML"; do
  check "doctor looks at: $name" grep -qF -- "$name" "$T/doctor"
done
check "doctor leaves no workspace behind" [ ! -e "$T/w" ]

# Who can read a workspace is told, and how to close it.
readers() { # MODE TEXT
  mkdir -p "$T/open/w" && chmod 755 "$T" "$T/open" && chmod "$1" "$T/open/w"
  "$SHAKEDOWN" doctor -w "$T/open/w" >"$T/out" 2>"$T/err"
  says "doctor says who can read a workspace of mode $1" "$2"
  check "and leaves it so" [ "$(stat -c %a "$T/open/w")" = "$1" ]
}
me=$(id -un) group=$(id -gn)
readers 755 "every user of this machine; \`chmod o-rwx $T/open/w\` leaves $me and the group $group"
readers 777 "every user of this machine, who can change it, too;"
readers 750 "$me and the group $group; \`chmod g-rwx $T/open/w\` leaves $me alone"
readers 700 "workspace's readers        $me alone"
chmod 700 "$T/open"
readers_of_closed() {
  chmod 777 "$T/open/w"
  "$SHAKEDOWN" doctor -w "$T/open/w" >"$T/out" 2>"$T/err"
  says "a folder above that is closed counts" "$me and the group $group"
}
readers_of_closed
ln -s "$T/open/w" "$T/link"
chmod 755 "$T/open" && chmod 777 "$T/open/w"
"$SHAKEDOWN" doctor -w "$T/link" >"$T/out" 2>"$T/err"
says "of a link what it leads to counts" "every user of this machine, who can change it, too; \`chmod o-rwx $T/open/w\`"
chmod 700 "$T"

# shellcheck disable=SC2016  # the inner shell's words
exits "doctor: too few open files" 4 sh -c 'ulimit -n 256; exec "$0" doctor -w "$1"' "$SHAKEDOWN" "$T/w"
check "is told with the number" grep -q '^PROBLEM  open files  *256$' "$T/out"
says "and the setting that mends it" "-> ulimit -n"
# shellcheck disable=SC2016  # the inner shell's words
sh -c 'ulimit -l 64; exec "$0" doctor -w "$1"' "$SHAKEDOWN" "$T/w" >"$T/out" 2>&1
pinned='^ok +locked memory +64 KiB, enough without RDMA'
[ -z "$(ls /sys/class/infiniband 2>/dev/null)" ] || pinned='^PROBLEM +locked memory +64 KiB, and RDMA pins'
check "a limit on locked memory matters where there is RDMA" grep -Eq "$pinned" "$T/out"

"$SHAKEDOWN" doctor --json -w "$T/w" >"$T/json" 2>/dev/null
check "doctor --json is one document, and what is there needs no remedy" python3 -c "
import json
d = json.load(open('$T/json'))
assert d['schema'] == 'shakedown.doctor/1'
assert all(c['remedy'] == '' for c in d['checks'] if c['found'])
assert all(c['remedy'] for c in d['checks'] if not c['found']), d"

mkdir "$T/bin"
for help in --job-name=NAME --container-image=IMAGE; do
  printf '#!/bin/sh\necho "      %s"\n' "$help" >"$T/bin/srun"
  chmod +x "$T/bin/srun"
  PATH="$T/bin:$PATH" "$SHAKEDOWN" doctor -w "$T/w" >"$T/out" 2>&1
  case $help in
    --job*) says "srun without Pyxis is found" "absent   Pyxis                      \`srun --help\` does not list --container-image" ;;
    *) says "and srun with it" "ok       Pyxis                      srun has --container-image" ;;
  esac
done
PATH=/nowhere "$SHAKEDOWN" doctor -w "$T/w" >"$T/out" 2>&1
check "without Slurm, the way to it is told" grep -q "run shakedown where Slurm's commands are" "$T/out"
finish
