#!/usr/bin/env bash
# Puts GitHub's description of its REST API into the project: install-openapi.sh FOLDER
#
# It comes from the npm registry in the version of tools/openapi/package-lock.json. Nothing is
# installed system-wide, and no script of a package is run.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/openapi" && pwd)

if ! command -v npm >/dev/null 2>&1; then
  echo "the description of the REST API comes from the npm registry: install Node 20 with npm" >&2
  exit 1
fi

mkdir -p "$folder"
cp "$source/package.json" "$source/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
test -f "$folder/node_modules/@octokit/openapi/generated/api.github.com.json"
