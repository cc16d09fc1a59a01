#!/bin/sh
# Unpacks Debian's Grid Engine below build/, for its test alone: installed it would start daemons and put a qsub into
# PATH. Its libraries are among the test packages of ./quickstart.
set -eu
cd "$(dirname -- "$0")/../.."
packages="gridengine-master gridengine-exec gridengine-client gridengine-common"
at=build/gridengine
if [ -d $at ] || ! command -v dpkg-deb >/dev/null; then exit 0; fi
rm -rf $at.new
mkdir -p $at.new
# shellcheck disable=SC2086
if (cd $at.new && { apt-get download $packages || { apt-get update && apt-get download $packages; }; }) >/dev/null 2>&1; then
  for package in $at.new/*.deb; do dpkg-deb -x "$package" $at.new; done
  rm $at.new/*.deb
  mv $at.new $at
else
  echo "Grid Engine's packages are not to be had: its test will be skipped" >&2
fi
