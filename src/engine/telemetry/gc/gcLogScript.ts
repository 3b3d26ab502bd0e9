import { tied } from '../tied';

/** Makes `path` of `$1`: with the home for `~/`, and of a pattern the newest file that fits it. */
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

/** Tells the path alone, to see whether a newer file has come. */
export const newestLogScript = `${resolvePath}
printf '%s' "$path"
`;

/** Whether a path may come to mean another file. */
export function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

/**
 * Follows a file by its name, over rotation and while it is not there yet, until standard input is closed. `$1` is the path, or
 * a pattern: the newest file that fits it is followed. POSIX, for dash, bash and busybox.
 *
 * `@file PATH`, `@missing USER`, `@unreadable USER`, `@head LINE` of what the file begins with, `@follow`, then its new lines.
 */
export const gcLogScript = String.raw`
LC_ALL=C
export LC_ALL
${resolvePath}
echo "@file $path"
if [ ! -e "$path" ]; then
  echo "@missing $(id -un)"
elif [ ! -r "$path" ]; then
  echo "@unreadable $(id -un)"
else
  head -n 40 -- "$path" 2>/dev/null | sed 's/^/@head /'
fi
echo @follow
${tied('tail -n 0 -F -- "$path"')}`;
