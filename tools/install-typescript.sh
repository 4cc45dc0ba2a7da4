#!/usr/bin/env bash
# Puts the TypeScript compiler into the project: install-typescript.sh FOLDER
#
# It comes from the npm registry in the version of tools/typescript/package-lock.json. Nothing is
# installed system-wide, and no script of a package is run.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/typescript" && pwd)

if ! command -v npm >/dev/null 2>&1; then
  echo "the TypeScript compiler for the tests comes from the npm registry: install Node 20 with npm" >&2
  exit 1
fi

mkdir -p "$folder"
cp "$source/package.json" "$source/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
test -f "$folder/node_modules/typescript/bin/tsc"
