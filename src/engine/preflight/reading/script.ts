import { quoteCommand } from '../../links/ssh/quote';
import { commands, type CommandName } from './need';
import { srsSettings } from './srsSettings';

/** The requests to a host in one run; paths and names are arguments of the script, never part of it. */
export type Question =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'files'; readonly pattern: string }
  | { readonly kind: 'command'; readonly name: CommandName }
  /** Processes with this name, as in `/proc/PID/comm`. */
  | { readonly kind: 'process'; readonly name: string };

/** One piece of the script's output. */
export interface Piece {
  /** `text` of a file or program, or the reason for its absence. */
  readonly word: 'text' | 'absent' | 'closed' | 'cmdline' | 'limits' | 'exe' | 'cwd' | 'environ' | 'no-process';
  /** Index of the request. */
  readonly question: number;
  /** Path or process id. */
  readonly of: string;
  text: string;
  /** Exit code of the command that printed the text. */
  code: number;
}

const maxFileBytes = 262_144;
const maxProcesses = 32;

/** Variables of SRS's environment that have precedence over its file. Others may be secrets, and are not read. */
const srsVariables = `^SRS_(${srsSettings.map(({ variable }) => variable).join('|')})=`;

const cases = (Object.keys(commands) as CommandName[])
  .map((name) => `    ${name}) ${quoteCommand(commands[name])} 2>&1 ;;`)
  .join('\n');

/** Each result is enclosed in two lines with an unpredictable mark, so that no file can imitate another. */
const script = `LC_ALL=C; export LC_ALL; PATH=$PATH:/usr/sbin:/sbin; IFS=
mark=$1; shift
say() { printf '\\n%s %s %s %s\\n' "$mark" "$1" "$number" "$2"; }
done_with() { printf '\\n%s end %s %s\\n' "$mark" "$number" "$1"; }
show() {
  if [ ! -e "$1" ]; then say absent "$1"; done_with 0
  elif [ ! -r "$1" ] || [ ! -f "$1" ]; then say closed "$1"; done_with 0
  else say text "$1"; head -c ${maxFileBytes} "$1" 2>/dev/null; done_with $?
  fi
}
processes() {
  seen=0
  for folder in /proc/[0-9]*; do
    name=; read -r name 2>/dev/null < "$folder/comm"
    [ "$name" = "$1" ] || continue
    pid=\${folder#/proc/}; seen=$((seen + 1)); [ $seen -gt ${maxProcesses} ] && break
    say cmdline "$pid"; tr '\\0' '\\n' 2>/dev/null < "$folder/cmdline"; done_with $?
    say limits "$pid"; head -c 8192 "$folder/limits" 2>/dev/null; done_with $?
    say exe "$pid"; readlink "$folder/exe" 2>/dev/null; done_with $?
    say cwd "$pid"; readlink "$folder/cwd" 2>/dev/null; done_with $?
    say environ "$pid"; tr '\\0' '\\n' 2>/dev/null < "$folder/environ" | grep -E '${srsVariables}'; done_with $?
  done
  [ $seen -gt 0 ] || { say no-process "$1"; done_with 0; }
}
run() {
  say text "$1"
  case $1 in
${cases}
  esac
  done_with $?
}
number=0
while [ $# -gt 1 ]; do
  case $1 in
    file) show "$2" ;;
    files) for path in $2; do show "$path"; done ;;
    process) processes "$2" ;;
    command) run "$2" ;;
  esac
  shift 2; number=$((number + 1))
done
exit 0`;

/** The command that serves the requests. */
export function scriptCommand(questions: readonly Question[], mark: string): readonly string[] {
  const words = questions.flatMap((question) => {
    switch (question.kind) {
      case 'file':
        return ['file', question.path];
      case 'files':
        return ['files', question.pattern];
      case 'command':
        return ['command', question.name];
      case 'process':
        return ['process', question.name.slice(0, 15)];
    }
  });
  return ['sh', '-c', script, 'fullhouse-preflight', mark, ...words];
}

/** Parses the script's output; a truncated piece is left out. */
export function parseOutput(output: string, mark: string): Piece[] {
  const pieces: Piece[] = [];
  // The first piece has nothing before its mark; every other marker line ends the piece before it.
  for (const part of output.split(`\n${mark} `).slice(1)) {
    const end = part.indexOf('\n');
    const [word = '', question = '', ...rest] = part.slice(0, end < 0 ? undefined : end).split(' ');
    const of = rest.join(' ');
    const last = pieces[pieces.length - 1];
    if (word === 'end') {
      if (last) last.code = Number(of);
    } else if (isWord(word))
      pieces.push({
        word,
        question: Number(question),
        of,
        text: end < 0 ? '' : part.slice(end + 1),
        code: -1,
      });
  }
  return pieces.filter(({ code }) => code >= 0);
}

function isWord(word: string): word is Piece['word'] {
  return ['text', 'absent', 'closed', 'cmdline', 'limits', 'exe', 'cwd', 'environ', 'no-process'].includes(word);
}
