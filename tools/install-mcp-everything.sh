#!/usr/bin/env bash
# Puts a public MCP server into the project: install-mcp-everything.sh FOLDER
#
# It comes from the npm registry in the versions of tools/mcp-everything/package-lock.json. Nothing
# is installed system-wide, and no script of a package is run.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/mcp-everything" && pwd)

if ! command -v npm >/dev/null 2>&1; then
  echo "the MCP server for the tests comes from the npm registry: install Node 20 with npm" >&2
  exit 1
fi

mkdir -p "$folder"
cp "$source/package.json" "$source/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
test -f "$folder/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
