import { diskScript, structureScript } from '../networkStructure';
import { procFiles } from '../procParse';

/**
 * The script on the remote host: plain POSIX, for dash, bash and busybox's ash. It does nothing by itself: each line on
 * its standard input is one request, and it ends when that is closed.
 *
 * - `sample ID files|plain PID… own PID…` -> `@sample ID TIME`, the files of /proc unchanged, `@waits PID` and a line of
 * schedstat for each
 *   of its threads, `@files PID COUNT`, `@end ID`; those after `own` are only read
 * - `top ID` -> `@top ID`, /proc/PID/stat of all processes, each line cut, `@top-all ID`
 * - `net ID` -> `@net ID`, how the network interfaces depend on each other (`networkStructure.ts`), `@disk` and a line of df,
 *   `@net-all ID`
 * - `find ID NAME` -> `@found PID COMM<tab>ARGUMENTS` per candidate, `@found-all ID`
 *
 * TIME is in ns since 1970, or in whole seconds where `date` has no better. The name to find is passed on standard
 * input and to grep the same way: as an argument it would find itself.
 */
export const procScript = String.raw`
LC_ALL=C
export LC_ALL
if [ ! -r /proc/stat ] || [ ! -r /proc/self/stat ]; then
  echo "@none $(uname -s)"
  exit 0
fi
echo "@kernel $(uname -r)"
echo "@machine $(uname -m)"
echo "@boot $(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
echo "@pids $(readlink /proc/self/ns/pid 2>/dev/null)"
echo "@ticks $(getconf CLK_TCK 2>/dev/null)"
echo "@page $(getconf PAGESIZE 2>/dev/null)"
grep '^PRETTY_NAME=' /etc/os-release 2>/dev/null
grep -m 1 -E '^(model name|Model|Hardware)' /proc/cpuinfo 2>/dev/null
grep '^Max open files' /proc/self/limits 2>/dev/null
${structureScript}
echo @ready
count_files() {
  set -- "$1" "/proc/$1/fd/"*
  if [ -L "$2" ]; then echo "@files $1 $(($# - 1))"; fi
}
read_waits() {
  set -- "$1" "/proc/$1/task/"*
  if [ $# -le 257 ] && [ -r "$2/schedstat" ]; then
    echo "@waits $1"
    cat "/proc/$1/task/"*/schedstat 2>/dev/null
  fi
}
while read -r word id rest; do
  case $word in
  sample)
    mode=
    list=
    for one in $rest; do
      if [ -z "$mode" ]; then mode=$one; elif [ "$one" != own ]; then list="$list /proc/$one/stat"; fi
    done
    date "+@sample $id %s%N"
    cat ${procFiles.map((name) => `/proc/${name}`).join(' ')} $list 2>/dev/null
    for one in $rest; do
      case $one in
      own) break ;;
      files | plain) continue ;;
      esac
      read_waits "$one"
      if [ "$mode" = files ]; then count_files "$one"; fi
    done
    echo "@end $id"
    ;;
  top)
    echo "@top $id"
    cat /proc/[0-9]*/stat 2>/dev/null | cut -c1-250 | head -n 8192
    echo "@top-all $id"
    ;;
  net)
    echo "@net $id"
    ${structureScript.replaceAll('\n', '\n    ')}
    ${diskScript}
    echo "@net-all $id"
    ;;
  find)
    seen=
    for file in $(printf '%s\n' "$rest" | grep -l -F -f - /proc/[0-9]*/comm /proc/[0-9]*/cmdline 2>/dev/null); do
      one=${'$'}{file#/proc/}
      one=${'$'}{one%%/*}
      case " $seen " in
      *" $one "*) continue ;;
      esac
      seen="$seen $one"
      read -r comm 2>/dev/null <"/proc/$one/comm" || continue
      printf '@found %s %s\t' "$one" "$comm"
      tr '\000\n' '\t ' 2>/dev/null <"/proc/$one/cmdline" | cut -c1-2000
      echo
    done
    echo "@found-all $id"
    ;;
  esac
done
`;
