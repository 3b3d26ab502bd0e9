import { programOptions, type Command, type Operand, type Option } from '../command';
import { optionsOf } from '../options';

/** Shells with a completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The completion script of a shell for these commands. */
export function completion(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](commands);
}

const origin = 'Written from src/cli/commands: npx vitest run --project unit src/cli/help -u';

/** In single quotes, for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `'"'"'`)}'`;

const summaryOf = ({ forms }: Command): string => forms[0]?.summary ?? '';
const words = (names: readonly string[]): string => names.map((name) => `--${name}`).join(' ');
const patterns = { plan: ['*.yaml', '*.yml'], run: ['*.fullhouse'], file: [] } as const;

/** What a shell completes as the operand of a command: words, files of a kind, or nothing. */
function completed(
  operand: Operand | undefined,
  commands: readonly Command[],
): readonly string[] | keyof typeof patterns | undefined {
  if (operand === 'text') return undefined;
  return operand === 'command' ? commands.map(({ name }) => name).filter((name) => name !== 'help') : operand;
}

function bash(commands: readonly Command[]): string {
  const all = Object.entries(optionsOf(commands));
  const names = (fits: (option: Option) => boolean): string =>
    all.flatMap(([name, option]) => (fits(option) ? [`--${name}`] : [])).join('|');
  const cases = all.flatMap(([name, { completes }]) =>
    typeof completes === 'object'
      ? [`    --${name}) COMPREPLY=($(compgen -W ${quoted(completes.join(' '))} -- "$word")); return ;;`]
      : [],
  );
  const operands = commands.map((command) => {
    const { name, options } = command;
    const operand = completed(command.operand, commands);
    const files =
      operand === undefined
        ? ''
        : typeof operand === 'object'
          ? `choices=${quoted(operand.join(' '))}`
          : `files=${quoted(operand === 'plan' ? '@(yaml|yml)' : operand === 'run' ? 'fullhouse' : '*')}`;
    return `    ${name}) options=${quoted(words(Object.keys(options)))}${files && `; ${files}`} ;;`;
  });
  return `# ${origin}
_fullhouse() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} options='' choices='' files=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${commands.map(({ name }) => name).join(' ')} --help --version`)} -- "$word"))
    return
  fi
  case $before in
${cases.join('\n')}
    ${names(({ completes }) => completes === 'folder')}) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${names(({ completes }) => completes === 'file')}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${names(({ value, completes }) => value !== undefined && completes === undefined)}) return ;;
  esac
  case \${COMP_WORDS[1]} in
${operands.join('\n')}
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ -n "$choices" ]; then
    [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [ -n "$files" ]; then
    compopt -o filenames
    local IFS=$'\\n'
    local -a filter=()
    [ "$files" = '*' ] || filter=(-X "!*.$files")
    shopt -q extglob || { shopt -s extglob; trap 'shopt -u extglob; trap - RETURN' RETURN; }
    COMPREPLY=($(compgen -d -- "$word") $(compgen -f "\${filter[@]}" -- "$word"))
  fi
}
complete -F _fullhouse fullhouse
`;
}

/** Colons and brackets separate the parts of a specification. */
const spec = (text: string): string => text.replace(/[:[\]]/g, '\\$&');

function zsh(commands: readonly Command[]): string {
  const valueOf = ({ value, completes }: Option): string => {
    if (value === undefined) return '';
    const action =
      completes === 'file'
        ? '_files'
        : completes === 'folder'
          ? '_files -/'
          : completes
            ? `(${completes.join(' ')})`
            : ' ';
    return `:${spec(value)}:${action}`;
  };
  const optionOf = ([name, option]: readonly [string, Option]): string =>
    quoted(`*--${name}[${spec(option.summary)}]${valueOf(option)}`);
  const operandOf = (command: Command): string => {
    const operand = completed(command.operand, commands);
    if (operand === undefined) return '';
    if (typeof operand === 'object') return ` ${quoted(`2:operand:(${operand.join(' ')})`)}`;
    const globs = patterns[operand].join(' ');
    return ` ${quoted(`*:${operand}:_files${globs ? ` -g "${globs}"` : ''}`)}`;
  };
  const cases = commands.map((command) => {
    const all = Object.entries(command.options).map(optionOf).join(' ');
    return `    ${command.name}) _arguments ${quoted('1: :')}${operandOf(command)}${all ? ` ${all}` : ''} ;;`;
  });
  const described = commands.map(
    (command) => `    ${quoted(`${command.name}:${summaryOf(command).replaceAll(':', '\\:')}`)}`,
  );
  return `#compdef fullhouse
# ${origin}
_fullhouse() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[${spec(programOptions.help.summary)}]' '--version[${spec(programOptions.version.summary)}]'
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
_fullhouse "$@"
`;
}

function fish(commands: readonly Command[]): string {
  const start = `complete -c fullhouse`;
  const lines = commands.flatMap((command) => {
    const { name, options } = command;
    const operand = completed(command.operand, commands);
    const inside = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    const operands =
      operand === undefined
        ? []
        : typeof operand === 'object'
          ? [`${start} ${inside} -f -a ${quoted(operand.join(' '))}`]
          : operand === 'file'
            ? [`${start} ${inside} -F`]
            : [
                `${start} ${inside} -k -a ${quoted(
                  `(${patterns[operand].map((pattern) => `__fish_complete_suffix ${pattern.slice(1)}`).join('; ')})`,
                )}`,
              ];
    return [
      `${start} -n __fish_use_subcommand -a ${name} -d ${quoted(summaryOf(command))}`,
      ...operands,
      ...Object.entries(options).map(
        ([option, help]) => `${start} ${inside} -l ${option}${fishValue(help)} -d ${quoted(help.summary)}`,
      ),
    ];
  });
  return `# ${origin}
${start} -f
${start} -n __fish_use_subcommand -s h -l help -d ${quoted(programOptions.help.summary)}
${start} -n __fish_use_subcommand -s v -l version -d ${quoted(programOptions.version.summary)}
${lines.join('\n')}
`;
}

function fishValue({ value, completes }: Option): string {
  if (value === undefined) return '';
  if (completes === 'file') return ' -r -F';
  if (completes === 'folder') return ` -x -a ${quoted('(__fish_complete_directories)')}`;
  return completes ? ` -x -a ${quoted(completes.join(' '))}` : ' -x';
}
