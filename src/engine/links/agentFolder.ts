import { FullhouseError } from '../../contract/calls';
import { visibleLine } from '../../domain/text/visibleText';
import type { SshResult } from './ssh/sshLink';

/**
 * Shell text for our folder on a tester, for dash, bash and busybox. A tester is a shared machine: another user must not
 * be able to replace the program between its check and its start, or to have us delete files elsewhere.
 */

/** Exit code of a script that found the folder unsafe; the reason is on its standard error. */
const unsafeCode = 4;

/**
 * Functions for the other scripts. `unsafe FOLDER` succeeds, with the reason in `why`, if another user could change what
 * is in the folder; otherwise `d` is its path without links, empty if it does not exist.
 */
const functions = `umask 077
me=$(id -u)
# Of the path itself, not of what a link points to.
inspect() {
  set -f; set -- $(LC_ALL=C ls -ldn -- "$1" 2>/dev/null); set +f
  mode=$1 owner=$3 size=$5
  [ -n "$mode" ]
}
isTrusted() { inspect "$1" && { [ "$owner" = "$me" ] || [ "$owner" = 0 ]; }; }
isOwn() {
  [ -f "$1" ] && [ ! -L "$1" ] && inspect "$1" && [ "$owner" = "$me" ] || return 1
  case $mode in ?????w*|????????w*) return 1 ;; esac
}
unsafe() {
  why= fix= d=
  if [ -L "$1" ] && ! isTrusted "$1"; then
    why="$1 is a symbolic link of another user (uid $owner)" fix="rm $1"; return 0
  fi
  if [ -d "$1" ]; then d=$(cd -P -- "$1" 2>/dev/null && pwd -P) || d=$1; fi
  [ -n "$d" ] || return 1
  inspect "$d"
  if [ "$owner" != "$me" ]; then why="$d belongs to another user (uid $owner)"; return 0; fi
  case $mode in ?????w*|????????w*)
    why="$d is writable for other users (mode $mode)" fix="chmod 700 $d"; return 0 ;;
  esac
  above=$d
  while [ -n "$above" ] && [ "$above" != / ]; do
    above=\${above%/*}
    inspect "\${above:-/}" || break
    # With the sticky bit others can write there, but not rename what is ours.
    case $mode in ????????w[tT]*) ;; ????????w*)
      why="\${above:-/} is writable for other users (mode $mode)" fix="chmod o-w \${above:-/}"; return 0 ;;
    esac
    # Numbers of people. System accounts own folders of network homes and containers.
    if [ "$owner" != "$me" ] && [ "$owner" -ge 1000 ] && [ "$owner" -lt 65534 ]; then
      why="$above belongs to another user (uid $owner)"; return 0
    fi
  done
  return 1
}
refuse() { printf '%s\\n' "$why" "$fix" >&2; exit ${unsafeCode}; }
# Earlier versions of the agent call the flag --home.
flag() { "$1" stop -h 2>&1 | grep -q -e -state-dir && echo --state-dir || echo --home; }
`;

/** Prints the path of our folder without links and as it is named: a plain `fullhouse` in the cache of its user. */
export const homeScript = `${functions}home=\${XDG_CACHE_HOME:-$HOME/.cache}/fullhouse
unsafe "$home" && refuse
printf '%s\\n' "\${d:-$home}" "$home"`;

/** Creates a folder and prints its path without links. Code 3: its user's home folder, which it prints, does not exist. */
export const makeScript = `${functions}mkdir -p -- "$1" || {
  [ -n "$HOME" ] && [ ! -d "$HOME" ] && { printf %s "$HOME"; exit 3; }
  exit 1
}
unsafe "$1" && refuse
printf %s "$d"`;

/** Prints the SHA-256 of a program that belongs to its user. */
export const hashScript = `${functions}isOwn "$1" && sha256sum -- "$1"`;

/** Exit code of `startScript` for another program than expected. */
export const changedCode = 5;
/** Runs a program with its arguments if its SHA-256 is the given one. */
export const startScript = `${functions}sum=$1; shift
isOwn "$1" && case $(sha256sum -- "$1") in "$sum "*) exec "$@" ;; esac
exit ${changedCode}`;

/** Any executable there can stop the agent of its folder, also one of another version. */
export const stopScript = `${functions}unsafe "$1" && refuse
code=0
for a in "$1"/fullhouse-agent-*; do isOwn "$a" && [ -x "$a" ] && { "$a" stop "$(flag "$a")" "$1" || code=$?; }; done
exit $code`;

export const statusScript = `${functions}unsafe "$1" && refuse
for a in "$1"/fullhouse-agent-*; do isOwn "$a" && [ -x "$a" ] && "$a" status "$(flag "$a")" "$1"; done
exit 0`;

/**
 * Removes what was installed in a folder, by its path without links and as it is named. Our own folder goes as a whole.
 * A linked one may be used for other files too: only ours are removed there, then the folder and the link if nothing is
 * left.
 */
export const removeScript = `${functions}unsafe "$1" && refuse
[ -n "$d" ] || exit 0
# Removes our files from a linked folder of this user.
empty() {
  folder=$1; shift
  unsafe "$folder" && return
  [ -n "$d" ] || return
  for name; do for f in "$d"/$name; do isOwn "$f" && rm -f -- "$f"; done; done
}
samples='sample-*' media='*-????????????.*'
for each in samples media; do
  [ -L "$1/$each" ] || continue
  if [ $each = samples ]; then empty "$1/$each" "$samples"; else empty "$1/$each" "$media"; fi
  rm -f -- "$1/$each"
done
if [ "$1" = "$2" ]; then rm -rf -- "$1"; exit; fi
empty "$1/samples" "$samples"
empty "$1/media" "$media"
empty "$1" 'fullhouse-agent-*' agent.json agent.log '.agent-*.json' '.probe-*'
rmdir -- "$1/samples" "$1/media" 2>/dev/null
rmdir -- "$1" 2>/dev/null && [ -L "$2" ] && isTrusted "$2" && rm -f -- "$2"
exit 0`;

/** Prints what still exists, as \`file BYTES PATH\`, and \`process PID\` for what still runs from there. */
export const leftScript = `${functions}find "$1" "$2" 2>/dev/null | sort -u | while IFS= read -r f; do
  inspect "$f" || continue
  case $mode in d*) size=0 ;; esac
  printf 'file %s %s\\n' "$size" "$f"
done
for p in /proc/[0-9]*; do
  case "$(readlink "$p/exe" 2>/dev/null)" in "$1"/*|"$2"/*) echo "process \${p#/proc/}";; esac
done
exit 0`;

const maxListed = 20;

/** The output of `leftScript` for people, with sizes. */
export function leftLines(output: string): string[] {
  const lines = output
    .split('\n')
    // Names of files there may contain anything.
    .map((line) => visibleLine(line.trim()))
    .filter((line) => line !== '');
  const files = lines.flatMap((line) => {
    const [, bytes = '', path] = /^file (\d*) (.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, bytes: Number(bytes) }];
  });
  const more = files.slice(maxListed);
  const rest = `and ${more.length} more (${sizeText(more.reduce((sum, { bytes }) => sum + bytes, 0))})`;
  return [
    ...files.slice(0, maxListed).map(({ path, bytes }) => (bytes === 0 ? path : `${path} (${sizeText(bytes)})`)),
    ...(more.length === 0 ? [] : [rest]),
    ...lines.filter((line) => !line.startsWith('file ')),
  ];
}

function sizeText(bytes: number): string {
  return bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The reason of a script that found the folder unsafe, and the command that fixes it; undefined for another result. */
export function unsafeReason({
  code,
  stderr,
}: Pick<SshResult, 'code' | 'stderr'>): { readonly why: string; readonly command?: string } | undefined {
  if (code !== unsafeCode) return undefined;
  const [why = '', command] = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { why, command };
}

/** Throws when a script found the folder unsafe. */
export function requireSafe(who: string, result: Pick<SshResult, 'code' | 'stderr'>): void {
  const found = unsafeReason(result);
  if (!found) return;
  const { why, command } = found;
  const fix = command === undefined ? 'Set' : `Run there: ${command}, or set`;
  throw new FullhouseError(
    'unsafe-folder',
    `${who} has no safe folder for the agent: ${why}, so another user could replace the program. ${fix} XDG_CACHE_HOME of its user to another folder.`,
  );
}
