#!/bin/sh
# shakedown(1): each command and each option stands there, and troff has nothing to complain of.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
exits "the manual" 0 "$SHAKEDOWN" list --manual
mv out shakedown.1
check "is built beside the program" cmp shakedown.1 "$BUILD/share/man/man1/shakedown.1"

# Every command and every option that --help shows.
sed 's/\\-/-/g; s/\\f[A-Z]//g' shakedown.1 >plain
options_of() { "$SHAKEDOWN" "$@" --help | grep -o '^ *-[^ ]*' | tr -d ' ' | tr ',' '\n' | grep '^--' | sort -u; }
commands=$("$SHAKEDOWN" --help | sed '/^Example/,$d' | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
check "there are commands" [ "$(echo "$commands" | wc -w)" -gt 20 ]
for command in $commands; do
  check "$command" grep -qx "\.SS shakedown $command" plain
  sed -n "/^\.SS shakedown $command\( \|$\)/,/^\.S[SH] /p; /^\.SH COMMON/,/^\.SH COMMANDS/p" plain >part
  for option in $(options_of "$command"); do
    [ "$option" = --help ] || grep -q -- "$option" part || fail "$command $option is not in the manual"
  done
done
check "subcommands" grep -qx "\.SS shakedown inventory discover" plain

if command -v groff >/dev/null; then
  exits "groff" 0 groff -man -ww -Tutf8 shakedown.1
  check "has no complaint" [ ! -s err ]
  check "shows an option" grep -q -- 'acceptance-h100' out
elif command -v mandoc >/dev/null; then
  exits "mandoc" 0 mandoc -Tlint -Wwarning shakedown.1
else
  echo "SKIPPED: no groff or mandoc here (apt-get install groff)"
  [ "$failures" = 0 ] && exit 77
fi
finish
