#!/usr/bin/env bash
# Puts NetworkX and PyNaCl into the project: install-oracles.sh FOLDER
#
# The tests of graph algorithms compare their answers with NetworkX, and the tests of secrets open them with PyNaCl,
# which is libsodium. Both come from PyPI in the versions of tools/oracles/requirements.txt, into a virtual
# environment. Nothing is installed system-wide, unless Python cannot make virtual environments and we are root on
# Debian.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/oracles" && pwd)

if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq python3 python3-venv
  else
    echo "NetworkX and PyNaCl are needed and come from PyPI: install Python 3.11 or later with venv and pip" >&2
    exit 1
  fi
fi

python3 -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
  --requirement "$source/requirements.txt"
"$folder/bin/python" -c 'import nacl.public, networkx'
cp "$source/requirements.txt" "$folder/"
