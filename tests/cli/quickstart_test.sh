#!/bin/sh
# quickstart's refusals: a login node, and a user who may not install. (That it installs and builds is shown by the
# run that got here.)
. "$(dirname -- "$0")/check.sh"
mkdir "$T/bin" "$T/no-sudo"
printf '#!/bin/sh\nexit 0\n' >"$T/bin/sbatch"
printf '#!/bin/sh\nexit 0\n' >"$T/bin/sinfo"
chmod +x "$T/bin/sbatch" "$T/bin/sinfo"

exits "a login node is refused" 2 env PATH="$T/bin:$PATH" "$PROJECT/quickstart" --minutes 5
says "with the batch line" "sbatch --nodes=1 --exclusive --wrap \"$PROJECT/quickstart --minutes 5\""
says "and the way to insist" "$PROJECT/quickstart --here --minutes 5"

printf '#!/bin/sh\necho "sinfo: fatal: Could not establish a configuration source"\nexit 1\n' >"$T/bin/sinfo"
exits "programs of Slurm without a configuration are no batch system" 0 env PATH="$T/bin:$PATH" sh -c \
  "sed '/^case \${1-} in/,\$d' '$PROJECT/quickstart' >'$T/functions' && cd '$PROJECT' && . '$T/functions' && refuse_login_node"

# A user without root and sudo, on a machine where a package is missing.
printf '#!/bin/sh\nexit 1\n' >"$T/no-sudo/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$T/no-sudo/sudo"
printf '#!/bin/sh\necho 1000\n' >"$T/no-sudo/id"
chmod +x "$T"/no-sudo/*
exits "nothing is installed without root" 2 env PATH="$T/no-sudo:$PATH" "$PROJECT/quickstart" deps
says "the packages are named before" "installing these Debian packages: g++ cmake"
says "and what to ask for" "apt-get install g++ cmake"
exits "--help" 0 "$PROJECT/quickstart" --help
says "shows the commands" "./quickstart test"
check "at most 120 lines" [ "$(wc -l <"$PROJECT/quickstart")" -le 120 ]
finish
