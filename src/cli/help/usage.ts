import { commandNames, commandTable, type CommandName } from './commandTable';
import { exitCodeMeanings } from '../exitCodes';
import { options, type OptionName } from '../options';
import { optionNames, optionTable } from './optionTable';
import { operandsText, passwordsText, signalsText } from './texts';

const width = 110;

/** The text of `--help`. */
export function usage(): string {
  const lines = [
    'Fullhouse: fill the house before the audience does.',
    '',
    ...commandNames.flatMap(formLines),
    '  fullhouse --help | --version',
    '',
    'Options:',
    ...optionNames.flatMap(optionLines),
    '',
    ...[operandsText, passwordsText, signalsText].flatMap((text) => wrapped(text, 0, 0)),
    '',
    ...exitCodeLines,
  ];
  return lines.join('\n');
}

/** The help of one command: `fullhouse COMMAND --help`. */
export function commandUsage(name: CommandName): string {
  const { operand, options: own } = commandTable[name];
  const names = optionNames.filter((each) => own.includes(each) || each === 'help');
  const texts = [
    ...(operand === 'plan' || operand === 'run' ? [operandsText] : []),
    ...(operand === 'plan' ? [passwordsText, signalsText] : []),
  ];
  return [
    ...formLines(name),
    '',
    'Options:',
    ...names.flatMap(optionLines),
    '',
    ...texts.flatMap((text) => wrapped(text, 0, 0)),
    ...(texts.length > 0 ? [''] : []),
    ...exitCodeLines,
  ].join('\n');
}

const formLines = (name: CommandName): string[] =>
  commandTable[name].forms.flatMap(({ words, summary }) => [
    ...wrapped(`fullhouse ${name} ${words}`.trimEnd(), 2, 6),
    ...wrapped(summary, 10, 10),
  ]);

const optionLines = (name: OptionName): string[] => wrapped(optionTable[name].summary, 26, 26, optionText(name));

const exitCodeLines = exitCodeMeanings.map(([code, meaning]) => `Exit code ${code}: ${meaning}.`);

/** `-h, --help` or `--out PATH`. */
export function optionText(name: OptionName): string {
  const option = options[name];
  const { value } = optionTable[name];
  return `${'short' in option ? `-${option.short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
}

/** Lines of a text with these indents; `label` is in front of the first one, or above it if it is too long. */
function wrapped(text: string, first: number, others: number, label = ''): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  if (label) {
    const head = `  ${label}`;
    if (head.length + 1 >= first) lines.push(head);
    else line = head.padEnd(first);
  }
  let isEmpty = true;
  // Brackets stay together if they fit: an option with its value.
  for (const word of text.match(/\[[^[\]]*\]|\S+/g) ?? []) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(others);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
