#!/bin/sh
# A power loss: the image of a mounted file system is copied while a campaign runs on it. The copy holds what had
# reached the disk, and nothing of what the kernel still kept in memory. What had ended is there, whole, and is not
# measured again.
. "$(dirname -- "$0")/check.sh"
[ "$(id -u)" = 0 ] || { echo "SKIPPED: mounting a file system takes root"; exit 77; }
unmount() { umount "$T/disk" 2>/dev/null; umount "$T/copy" 2>/dev/null; rm -rf "$T"; }
trap unmount EXIT
mkdir "$T/disk" "$T/copy"
cat >"$T/xhpl" <<P
#!/bin/sh
cat "$PROJECT/tests/fixtures/hpl/reference-passed.out"
P
chmod +x "$T/xhpl"
cat >"$T/plan.json" <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]},
{"id":"long","argv":["/bin/sleep","60"]}]}
P

# survives NAME MKFS REPAIR [OPTION]: on a file system made by MKFS, which REPAIR makes whole after the loss and OPTION
# mounts beside its original.
survives() {
  name=$1 mkfs=$2 repair=$3 option=${4:+,$4}
  rm -f "$T/image" "$T/lost"
  truncate -s 400M "$T/image"
  $mkfs "$T/image" >"$T/mkfs" 2>&1 && mount -o loop "$T/image" "$T/disk" 2>>"$T/mkfs" || {
    echo "SKIPPED: no $name can be made and mounted here: $(tail -n 1 "$T/mkfs")"
    exit 77
  }
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/disk/w" --progress none >"$T/out" 2>&1 &
  run=$!
  i=0
  until ls "$T"/disk/w/campaigns/*/long/attempt-1/started.json >"$T/started" 2>/dev/null || [ $i = 300 ]; do
    i=$((i + 1))
    sleep 0.1
  done
  cp "$T/image" "$T/lost"  # the power is gone
  kill -INT $run
  wait $run
  wanted=$(cat "$T"/disk/w/campaigns/*/hpl/attempt-1/stdout.log | cksum)
  umount "$T/disk"
  $repair "$T/lost" >"$T/repair" 2>&1
  mount -o "loop$option" "$T/lost" "$T/copy"
  at=$(echo "$T"/copy/w/campaigns/*/hpl/attempt-1)
  check "$name: the ended attempt's last word is there" grep -q '"state":"finished","exit_code":0' "$at/finished.json"
  check "its log is whole" [ "$(cksum <"$at/stdout.log")" = "$wanted" ]
  exits "its campaign is read from the folders" 0 "$SHAKEDOWN" import "$T"/copy/w/campaigns/* -w "$T/again"
  "$SHAKEDOWN" report --json -w "$T/again" >"$T/report.json" 2>/dev/null
  check "with the result" grep -q '"rmax_gflops"' "$T/report.json"
  umount "$T/copy"
  rm -rf "$T/again"
}

survives ext4 "mkfs.ext4 -q -F" true
survives "ext4 without a journal" "mkfs.ext4 -q -F -O ^has_journal" "e2fsck -fy"
# The original stays mounted where another process took a mount namespace meanwhile, and XFS mounts no UUID twice.
survives xfs "mkfs.xfs -q -f" true nouuid
finish
