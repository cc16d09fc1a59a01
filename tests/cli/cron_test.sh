#!/bin/sh
# A check that Debian's cron makes, without systemd: cron runs in a mount namespace of its own, where it sees no crontab but
# the one that `schedule` installed.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
PATH=$PATH:/usr/sbin
for program in cron crontab unshare; do
  command -v $program >/dev/null || { echo "SKIPPED: no $program here (apt-get install cron)"; exit 77; }
done
[ -x "$LIBEXEC/gemm" ] || { echo "SKIPPED: no reference kernels here"; exit 77; }
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "SKIPPED: a mount namespace takes root here"; exit 77; }
printf 'title = "Each minute"\nchecks_per_week = 10080\n[budget]\nminutes = 1\n[alarm]\nruns = 1\n[disturbance.load]\nlimit = 1e9\nreason = "tests run beside it"\n[disturbance.steal]\nlimit = 1\nreason = "tests run beside it"\n[[runs]]\nsuite = "gemm"\n' >r.toml
mkdir spool empty
chmod 700 spool
cat >inside.sh <<S
mount --bind "$T/spool" /var/spool/cron/crontabs
mount --bind "$T/empty" /etc/cron.d
mount --bind /dev/null /etc/crontab
mount -t tmpfs tmpfs /run
"$SHAKEDOWN" schedule --config "$T/r.toml" -w "$T/w" --cron --here --install || exit 1
exec cron -f
S
unshare -m sh inside.sh >cron.out 2>&1 &
cron=$!
trap 'kill $cron 2>/dev/null; rm -rf "$T"' EXIT
for _ in $(seq 300); do  # a minute until cron begins, and the check beside whatever runs here
  grep -q "regression check: " w/regression.log 2>/dev/null && break
  kill -0 $cron 2>/dev/null || break
  sleep 1
done
kill $cron 2>/dev/null
wait $cron 2>/dev/null
check "cron has made a check" sh -c "ls w/campaigns/*/regression.json >/dev/null 2>&1 || { cat cron.out w/regression.log; exit 1; }"
# Beside many tests its run may come to its time limit.
check "which said what it says" sh -c "grep -qE 'regression check: (no alarm in|undecided: gemm-reference-1n: ended at its time limit)' w/regression.log || { cat w/regression.log; exit 1; }"
check "the crontab of this machine was not touched" sh -c "! crontab -l 2>/dev/null | grep -q '$T'"
finish
