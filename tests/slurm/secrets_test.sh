#!/bin/sh
# Secrets on a batch system: jobs have them from one file of mode 0600; batch script, Slurm's record of the job and the
# process list have none.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 2
printf 'planted-token-01\nplanted-proxy-02\nplanted-inherited-03\n' >"$T/planted"
export NCCL_SITE_TOKEN=planted-inherited-03
cat >"$T/program" <<X
#!/bin/sh
printf '%s\n' "\$HF_TOKEN" "\$http_proxy" "\$NCCL_SITE_TOKEN" >$T/given.\$1
cat /proc/[0-9]*/cmdline >>$T/cmdlines
scontrol show job >>$T/jobs
scontrol write batch_script \$SLURM_JOB_ID - >>$T/jobs
cp -p $T/s/campaigns/*/secrets.env $T/held
X
chmod +x "$T/program"
environment='"environment":{"HF_TOKEN":"planted-token-01","http_proxy":"http://me:planted-proxy-02@proxy:3128"}'
plan "$T/s.json" "$(case_of one 1 cn1 "$T/program one" "$environment")" "$(case_of two 1 cn2 "$T/program two" "$environment")" \
  "$(case_of bare 1 cn2 "$T/program bare")"
runs s >"$T/out" 2>"$T/err"
[ -s "$T/held" ] || sed 's/^/      | /' "$T/err"
printf 'planted-token-01\nhttp://me:planted-proxy-02@proxy:3128\nplanted-inherited-03\n' >"$T/expected"
for case in one two; do check "$case was given what it states" diff -u "$T/expected" "$T/given.$case"; done
check "another case was given none of theirs" [ "$(head -n 2 "$T/given.bare" | tr -d '\n')" = "" ]
check "one file held them" grep -q planted-token-01 "$T/held"
check "of mode 0600" [ "$(stat -c %a "$T/held")" = 600 ]
check "and is gone" [ -z "$(find "$T/s" -name secrets.env)" ]
free_of_secrets() { # WHAT FILE...
  what=$1
  shift
  check "$what: no secret" sh -c '! grep -raFf "$0" "$@"' "$T/planted" "$@"
}
free_of_secrets "the workspace" "$T/s"
free_of_secrets "the terminal" "$T/out" "$T/err"
free_of_secrets "the process list" "$T/cmdlines"
check "Slurm told of the jobs" grep -q "^JobId=" "$T/jobs"
free_of_secrets "Slurm's record of the jobs, and their scripts" "$T/jobs"
check "folders are closed to others" [ -z "$(find "$T/s" -type d ! -perm 750)" ]
finish
