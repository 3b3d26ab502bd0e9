import { programOptions, type Command, type Option } from '../command';
import { operandsText, optionText, passwordsText, signalsText } from './usage';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const defaultOf = (option: Option): string =>
  option.default === undefined ? (option.otherwise ?? '') : code(option.default);

const optionRows = (options: Command['options']): string[][] =>
  Object.entries(options).map(([name, option]) => [
    code(optionText(name, option)) + (option.multiple ? ', several times' : ''),
    defaultOf(option),
    option.summary,
  ]);

const codeRows = (codes: Command['exitCodes']): string[][] => codes.map(([number, meaning]) => [`${number}`, meaning]);

function commandSection({ name, forms, options, examples, exitCodes }: Command): string[] {
  const { verbose: _ofAll, ...own } = options;
  return [
    `## \`fullhouse ${name}\``,
    forms.map(({ words, summary }) => `- ${code(`fullhouse ${name} ${words}`.trimEnd())}: ${summary}`).join('\n'),
    ...(Object.keys(own).length > 0 ? [table(['option', 'default', 'meaning'], optionRows(own))] : []),
    ['```sh', ...examples.map((line) => `fullhouse ${line}`), '```'].join('\n'),
    table(['exit code', 'meaning'], codeRows(exitCodes)),
  ];
}

/** docs/commands.md. */
export function commandsPage(commands: readonly Command[]): string {
  return `${[
    '# Commands',
    'Generated from `src/cli/commands`, as are the parser, `--help`, the man page and the completions of shells.',
    operandsText,
    `${passwordsText} Other variables: [environment.md](environment.md).`,
    signalsText,
    table(
      ['command', 'what it does'],
      commands.map(({ name, forms }) => [`[\`${name}\`](#fullhouse-${name})`, forms[0]?.summary ?? '']),
    ),
    '## Options of all commands',
    table(['option', 'default', 'meaning'], optionRows(programOptions)),
    ...commands.flatMap(commandSection),
  ].join('\n\n')}\n`;
}
