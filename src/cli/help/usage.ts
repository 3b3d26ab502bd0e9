import { secretKinds } from '../../domain/model/nodeSettings';
import { variableEnd } from '../../domain/secrets/secretVariable';
import { programOptions, type Command, type Option } from '../command';
import { exitCodeMeanings } from '../exitCodes';
import { defaultOut, optionsOf } from '../options';

/** Paragraphs of `--help`, the man page and docs/commands.md. */
export const operandsText = `PLAN.yaml is a plan, e.g. plans/pull-1000-lab.yaml; - reads it from standard input. RUN is a .fullhouse file, or the id of a run in ./${defaultOut}. TIME is ISO 8601, e.g. 2026-11-21T09:00:00Z; local time without a zone.`;
const [firstKind, ...otherKinds] = secretKinds.map(variableEnd);
export const passwordsText = `Passwords are read from the environment, by the name of the node in the plan: FULLHOUSE_TESTER_1_${firstKind} (${otherKinds.join(', ')}).`;
export const signalsText =
  'Ctrl-C disconnects all viewers and saves the run; a second Ctrl-C forces it. SIGTERM and a closed terminal do the same; a closed pipe stops nothing.';

const width = 110;

/** The text of `--help`. */
export function usage(commands: readonly Command[]): string {
  const lines = [
    'Fullhouse: fill the house before the audience does.',
    '',
    ...commands.flatMap(formLines),
    '  fullhouse --help | --version',
    '',
    'Options:',
    ...Object.entries(optionsOf(commands)).flatMap(optionLines),
    '',
    ...[operandsText, passwordsText, signalsText].flatMap((text) => wrapped(text, 0, 0)),
    '',
    ...exitCodeMeanings.map(exitCodeLine),
  ];
  return lines.join('\n');
}

/** The help of one command: `fullhouse COMMAND --help`. */
export function commandUsage(command: Command): string {
  const { operand, options, exitCodes } = command;
  const texts = [
    ...(operand === 'plan' || operand === 'run' ? [operandsText] : []),
    ...(operand === 'plan' ? [passwordsText, signalsText] : []),
  ];
  return [
    ...formLines(command),
    '',
    'Options:',
    ...Object.entries({ help: programOptions.help, ...options }).flatMap(optionLines),
    '',
    ...texts.flatMap((text) => wrapped(text, 0, 0)),
    ...(texts.length > 0 ? [''] : []),
    ...exitCodes.map(exitCodeLine),
  ].join('\n');
}

const formLines = ({ name, forms }: Command): string[] =>
  forms.flatMap(({ words, summary }) => [
    ...wrapped(`fullhouse ${name} ${words}`.trimEnd(), 2, 6),
    ...wrapped(summary, 10, 10),
  ]);

const optionLines = ([name, option]: readonly [string, Option]): string[] =>
  wrapped(option.summary, 26, 26, optionText(name, option));

const exitCodeLine = ([code, meaning]: readonly [number, string]): string => `Exit code ${code}: ${meaning}.`;

/** `-h, --help` or `--out PATH`. */
export const optionText = (name: string, { short, value }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

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
