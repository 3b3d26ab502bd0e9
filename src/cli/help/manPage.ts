import type { Command } from '../command';
import { exitCodeMeanings } from '../exitCodes';
import { optionsOf } from '../options';
import { operandsText, optionText, passwordsText, signalsText } from './usage';

/** A text in roff: no character of it is a request or an escape. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const section = (title: string, ...lines: readonly string[]): string => [`.SH ${title}`, ...lines].join('\n');
const entry = (head: string, text: string): string => `.TP\n.B ${roff(head)}\n${roff(text)}`;

/** The page fullhouse(1). */
export function manPage(commands: readonly Command[]): string {
  const entries = commands.flatMap(({ name, forms, options }) => {
    const names = Object.keys(options);
    const list = names.length > 0 ? [`.RS\nOptions: ${roff(names.map((name) => `--${name}`).join(', '))}\n.RE`] : [];
    return [...forms.map(({ words, summary }) => entry(`fullhouse ${name} ${words}`.trimEnd(), summary)), ...list];
  });
  return `${[
    '.\\" Written from src/cli/commands: npx vitest run --project unit src/cli/help -u',
    '.TH FULLHOUSE 1 "" Fullhouse "Load tests of streaming servers"',
    // Options must not be hyphenated at the end of a line.
    '.nh\n.ad l',
    section('NAME', 'fullhouse \\- load tests and live monitoring of streaming servers'),
    section('SYNOPSIS', '.B fullhouse\n.I COMMAND\n[\n.I OPTIONS\n]'),
    section(
      'DESCRIPTION',
      roff(
        'Runs a plan: viewers from one or more testers connect to a server under test, and the run is saved as one file with its verdict. Without a command, the installed package starts the desktop app.',
      ),
      '.PP',
      roff(operandsText),
    ),
    section('COMMANDS', ...entries),
    section(
      'OPTIONS',
      ...Object.entries(optionsOf(commands)).map(([name, option]) => entry(optionText(name, option), option.summary)),
    ),
    section('ENVIRONMENT', roff(passwordsText)),
    section('SIGNALS', roff(signalsText)),
    section('EXIT STATUS', ...exitCodeMeanings.map(([code, meaning]) => entry(String(code), meaning))),
  ].join('\n')}\n`;
}
