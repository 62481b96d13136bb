#!/bin/sh
# Installs a release's programs where a build would put them: install.sh VERSION SHA256, or install.sh FILE.tar.gz SHA256.
# ADDRESS: the repository's page, which has the releases.
set -e
case $1 in */*) file=$(realpath "$1") ;; esac
cd "$(dirname "$0")/.."
mkdir -p .build
case $1 in
    */*) ;;
    *)
        file=.build/release.tar.gz
        curl --fail --silent --show-error --location --output "$file" \
            "$ADDRESS/releases/download/v$1/spinebench-$1-$(uname -m).tar.gz"
        ;;
esac
echo "$2  $file" | sha256sum --check --quiet || exit 4
rm -rf .build/release .build/installed
mkdir .build/installed
tar --extract --gzip --file "$file" --directory .build/installed --strip-components 1
ln -s installed/bin .build/release
