#!/usr/bin/env bash
# Puts a client of MCP that knows skills into the project: install-skills-client.sh FOLDER
#
# The tests have it read the skills that `capstan mcp` serves: FastMCP checks what goes over the wire,
# skills-ref the folders. Both come from PyPI in the versions of tools/skills-client/requirements.txt,
# into a virtual environment. Nothing is installed system-wide, unless Python cannot make virtual
# environments and we are root on Debian.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/skills-client" && pwd)

if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq python3 python3-venv
  else
    echo "a client for skills is needed and comes from PyPI: install Python 3.11 or later with venv and pip" >&2
    exit 1
  fi
fi

python3 -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
  --requirement "$source/requirements.txt"
"$folder/bin/python" -c 'import fastmcp.client, fastmcp.skills.client, skills_ref, yaml'
cp "$source/requirements.txt" "$folder/"
