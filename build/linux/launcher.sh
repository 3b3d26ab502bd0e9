#!/bin/sh
# The command `fullhouse`: with a command of the command line (`fullhouse run PLAN.yaml`) that, on the system's Node.js;
# otherwise the app, which also opens a run file or a fullhouse:// link.
app=/opt/Fullhouse

case "$1" in
  '' | *.fullhouse | *.FULLHOUSE | fullhouse:*) exec "$app/fullhouse" "$@" ;;
  --help | -h | --version | -v) ;;
  -*) exec "$app/fullhouse" "$@" ;;
esac

if ! command -v node >/dev/null 2>&1; then
  echo "The command line needs Node.js 20.19 or newer, which is not on the PATH. Install nodejs, or start the app with: fullhouse" >&2
  exit 2
fi
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "Node.js $(node --version) is too old for the command line. Install version 20.19 or newer, or start the app with: fullhouse" >&2
  exit 2
fi
exec node "$app/resources/cli/out/cli/index.js" "$@"
