#!/usr/bin/env bash
# Puts the clients for `make clients` into the project: install-clients.sh FOLDER
#
# They come from the npm registry in the versions of tools/clients/package-lock.json; with their
# binaries they take about 800 MB. Nothing is installed system-wide, and no script of a package is run.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/clients" && pwd)

if ! command -v npm >/dev/null 2>&1; then
  echo "Claude Code and Codex come from the npm registry: install Node 20 with npm" >&2
  exit 1
fi

mkdir -p "$folder"
cp "$source/package.json" "$source/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
test -f "$folder/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"
test -f "$folder/node_modules/@openai/codex/bin/codex.js"
