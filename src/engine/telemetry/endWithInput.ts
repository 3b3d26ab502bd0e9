/**
 * Shell text that runs `command` and ends it when standard input is closed: over SSH a program that writes nothing
 * would otherwise keep running after its connection is lost. It returns the command's exit code. POSIX, for dash, bash
 * and busybox.
 */
export function tied(command: string): string {
  // A background program gets no standard input, hence descriptor 3. `read` needs no separate process.
  return String.raw`
exec 3<&0
${command} 3<&- </dev/null &
child=$!
trap 'kill "$child" 2>/dev/null' TERM HUP INT
{
  while read -r word <&3; do :; done
  kill "$child"
} >/dev/null 2>&1 &
watcher=$!
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;
}
