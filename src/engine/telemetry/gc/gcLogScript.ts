import { tied } from '../endWithInput';

/** Makes `path` of `$1`: expands `~/`, and a pattern to the newest matching file. */
const resolvePath = String.raw`
path=$1
case $path in
"~/"*) path=$HOME/${'$'}{path#"~/"} ;;
esac
case $path in
*[*?[]*)
  IFS=
  newest=$(ls -dt -- $path 2>/dev/null | head -n 1)
  unset IFS
  path=${'$'}{newest:-$path}
  ;;
esac
`;

/** Prints only the path, to check for a newer file. */
export const newestLogScript = `${resolvePath}
printf '%s' "$path"
`;

/** Whether a path may resolve to another file later. */
export function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

/**
 * Follows a file by its name, across rotation and while it does not exist yet, until standard input is closed. `$1` is
 * the path, or a pattern: the newest matching file is followed. POSIX, for dash, bash and busybox.
 *
 * It follows from the size that the file had before `@follow`: a busy host may start `tail` a second later, and lines of
 * that second are no gap.
 *
 * `@file PATH`, `@missing USER`, `@unreadable USER`, `@head LINE` from the start of the file, `@follow`, then its new
 * lines.
 */
export const gcLogScript = String.raw`
LC_ALL=C
export LC_ALL
${resolvePath}
echo "@file $path"
size=0
if [ ! -e "$path" ]; then
  echo "@missing $(id -un)"
elif [ ! -r "$path" ]; then
  echo "@unreadable $(id -un)"
else
  size=$(wc -c <"$path")
  # Not more of it: a truncated log may start with gigabytes of NULs, and a line has any length.
  dd if="$path" bs=65536 count=1 2>/dev/null | tr -d '\000' | head -n 40 | cut -c1-2000 | sed 's/^/@head /'
fi
echo @follow
${tied('tail -c +$((size + 1)) -F -- "$path"')}`;
