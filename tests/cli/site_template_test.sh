#!/bin/sh
# The committed template of the history page is what its source builds: rebuilt where npm is, and compared byte by byte.
set -eu
: "${PROJECT:?}"
skip() { echo "SKIPPED: $1"; exit 77; }
cd "$PROJECT/site"
sha256sum --quiet -c template/SOURCES.sha256 || { echo "FAILED: the template was built from other sources: (cd site && npm ci && npm run build)"; exit 1; }
listed=$(wc -l <template/SOURCES.sha256)
present=$( (ls index.html package.json package-lock.json tsconfig.json vite.config.js && find build src -type f) | wc -l)
[ "$listed" = "$present" ] || { echo "FAILED: $present sources, and $listed in template/SOURCES.sha256"; exit 1; }
command -v npm >/dev/null 2>&1 || skip "npm is not here: the hashes of the sources fit, the template was not rebuilt"
[ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ] ||
  skip "Vite needs node 18 or newer, and this is $(node --version): the hashes of the sources fit, the template was not rebuilt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar cf - --exclude=./node_modules --exclude=./dist . | tar xf - -C "$work"
cd "$work"
npm ci >npm.log 2>&1 || skip "npm can't install the page's packages here ($(tail -n 1 npm.log)): the hashes of the sources fit, the template was not rebuilt"
npm run check >check.log 2>&1 || { cat check.log; echo "FAILED: tsc finds errors"; exit 1; }
npm run build >build.log 2>&1 || { cat build.log; echo "FAILED: the page does not build"; exit 1; }
cmp template/index.html "$PROJECT/site/template/index.html" || { echo "FAILED: the committed template is not what its source builds: (cd site && npm ci && npm run build)"; exit 1; }
cmp template/SOURCES.sha256 "$PROJECT/site/template/SOURCES.sha256"
echo "rebuilt: $(wc -c <template/index.html) bytes, the same"
