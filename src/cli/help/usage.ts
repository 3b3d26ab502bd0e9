import { commandNames, commandTable } from './commandTable';
import { options } from '../options';
import { optionNames, optionTable } from './optionTable';
import { exitCodes, operandsText, passwordsText, signalsText } from './texts';

const width = 110;

/** The text of `--help`. */
export function usage(): string {
  const commands = commandNames.flatMap((name) =>
    commandTable[name].forms.flatMap(({ words, summary }) => [
      ...wrapped(`fullhouse ${name} ${words}`.trimEnd(), 2, 6),
      ...wrapped(summary, 10, 10),
    ]),
  );
  const lines = [
    'Fullhouse: fill the house before the audience does.',
    '',
    ...commands,
    '  fullhouse --help | --version',
    '',
    'Options:',
    ...optionNames.flatMap((name) => wrapped(optionTable[name].summary, 26, 26, optionText(name))),
    '',
    ...[operandsText, passwordsText, signalsText].flatMap((text) => wrapped(text, 0, 0)),
    '',
    ...exitCodes.map(([code, meaning]) => `Exit code ${code}: ${meaning}.`),
  ];
  return lines.join('\n');
}

/** `-h, --help` or `--out PATH`. */
export function optionText(name: (typeof optionNames)[number]): string {
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
