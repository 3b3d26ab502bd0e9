import type { OptionName } from '../options';
import { commandNames, commandTable, type CommandName } from './commandTable';
import { optionNames, optionTable } from './optionTable';
import type { Shell } from './shells';

/** The completion script of a shell, from the tables of commands and options. */
export function completion(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

const origin = 'Written from src/cli/help: npx vitest run --project unit src/cli/help -u';

/** In single quotes, for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `'"'"'`)}'`;

const summaryOf = (name: CommandName): string => commandTable[name].forms[0]?.summary ?? '';
const words = (names: readonly string[]): string => names.map((name) => `--${name}`).join(' ');
const patternsOf = (operand: 'plan' | 'run' | 'file'): readonly string[] =>
  ({ plan: ['*.yaml', '*.yml'], run: ['*.fullhouse'], file: [] })[operand];

/** Options whose value a shell completes in the same way. */
const optionsOf = (kind: 'file' | 'folder'): readonly OptionName[] =>
  optionNames.filter((name) => optionTable[name].completes === kind);
const choices = optionNames.flatMap((name) => {
  const { completes } = optionTable[name];
  return typeof completes === 'object' ? [{ name, completes }] : [];
});
const plainValues = optionNames.filter(
  (name) => optionTable[name].value !== undefined && optionTable[name].completes === undefined,
);

function bash(): string {
  const operands = commandNames.map((name) => {
    const { operand, options } = commandTable[name];
    const files =
      operand === undefined
        ? ''
        : typeof operand === 'object'
          ? `choices=${quoted(operand.join(' '))}`
          : `files=${quoted(operand === 'plan' ? '@(yaml|yml)' : operand === 'run' ? 'fullhouse' : '*')}`;
    return `    ${name}) options=${quoted(words(options))}${files && `; ${files}`} ;;`;
  });
  const cases = choices.map(
    ({ name, completes }) =>
      `    --${name}) COMPREPLY=($(compgen -W ${quoted(completes.join(' '))} -- "$word")); return ;;`,
  );
  return `# ${origin}
_fullhouse() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} options='' choices='' files=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${commandNames.join(' ')} --help --version`)} -- "$word"))
    return
  fi
  case $before in
${cases.join('\n')}
    ${optionsOf('folder')
      .map((name) => `--${name}`)
      .join('|')}) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${optionsOf('file')
      .map((name) => `--${name}`)
      .join('|')}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${plainValues.map((name) => `--${name}`).join('|')}) return ;;
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

function zsh(): string {
  const valueOf = (name: OptionName): string => {
    const { value, completes } = optionTable[name];
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
  const optionOf = (name: OptionName): string =>
    quoted(`*--${name}[${spec(optionTable[name].summary)}]${valueOf(name)}`);
  const operandOf = ({ operand }: { readonly operand?: 'plan' | 'run' | 'file' | readonly string[] }): string => {
    if (operand === undefined) return '';
    if (typeof operand === 'object') return ` ${quoted(`2:operand:(${operand.join(' ')})`)}`;
    const patterns = patternsOf(operand);
    return ` ${quoted(`*:${operand}:_files${patterns.length > 0 ? ` -g "${patterns.join(' ')}"` : ''}`)}`;
  };
  const cases = commandNames.map((name) => {
    const { options } = commandTable[name];
    const all = options.map(optionOf).join(' ');
    return `    ${name}) _arguments ${quoted('1: :')}${operandOf(commandTable[name])}${all ? ` ${all}` : ''} ;;`;
  });
  const described = commandNames.map((name) => `    ${quoted(`${name}:${summaryOf(name).replaceAll(':', '\\:')}`)}`);
  return `#compdef fullhouse
# ${origin}
_fullhouse() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[${spec(optionTable.help.summary)}]' '--version[${spec(optionTable.version.summary)}]'
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
_fullhouse "$@"
`;
}

function fish(): string {
  const start = `complete -c fullhouse`;
  const lines = commandNames.flatMap((name) => {
    const { operand, options } = commandTable[name];
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
                  `(${patternsOf(operand)
                    .map((pattern) => `__fish_complete_suffix ${pattern.slice(1)}`)
                    .join('; ')})`,
                )}`,
              ];
    return [
      `${start} -n __fish_use_subcommand -a ${name} -d ${quoted(summaryOf(name))}`,
      ...operands,
      ...options.map(
        (option) => `${start} ${inside} -l ${option}${fishValue(option)} -d ${quoted(optionTable[option].summary)}`,
      ),
    ];
  });
  return `# ${origin}
${start} -f
${start} -n __fish_use_subcommand -s h -l help -d ${quoted(optionTable.help.summary)}
${start} -n __fish_use_subcommand -s v -l version -d ${quoted(optionTable.version.summary)}
${lines.join('\n')}
`;
}

function fishValue(name: OptionName): string {
  const { value, completes } = optionTable[name];
  if (value === undefined) return '';
  if (completes === 'file') return ' -r -F';
  if (completes === 'folder') return ` -x -a ${quoted('(__fish_complete_directories)')}`;
  return completes ? ` -x -a ${quoted(completes.join(' '))}` : ' -x';
}
