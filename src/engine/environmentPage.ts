import { secretKinds } from '../domain/model/nodeSettings';
import { variableOf } from '../domain/secrets/secretVariable';
import { passedOn, passedStarts } from './base/program';
import { variables } from './base/variables';
import { hookVariables, tokenVariables } from './runs/hookVariables';

const code = (text: string): string => `\`${text}\``;
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** `sshPassword` in words. */
const wordsOf = (kind: string): string => {
  const words = kind.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.replace(/^(ssh|http|api)\b/, (name) => name.toUpperCase());
};

/** docs/environment.md. */
export const environmentPage = (): string =>
  `${[
    '# Environment variables',
    'Generated from `src/engine/base/variables.ts` and `src/engine/runs/hookVariables.ts`; a test fails for a variable that the code reads and that is not in them.',
    '## Secrets',
    'The app reads secrets from the keychain of the system first; see [plans.md](plans.md#nodes) for names with other characters.',
    table(
      ['variable', 'meaning'],
      [
        ...secretKinds.map((kind) => [
          code(variableOf('NODE', kind)),
          `${wordsOf(kind)} of the node of this name in the plan`,
        ]),
        [code('FULLHOUSE_SECRET_NAME'), 'value of `$secret:NAME` in a plan'],
        [code('NAME'), 'value of `$env:NAME` in a plan; the app reads only names that start with `FULLHOUSE_`'],
      ],
    ),
    '## Settings',
    table(
      ['variable', 'read by', 'meaning', 'if not set'],
      Object.entries(variables).map(([name, { by, meaning, otherwise }]) => [
        code(name),
        { both: 'app, command line', all: 'app, command line, agent' }[by as string] ?? by,
        meaning,
        otherwise,
      ]),
    ),
    '## Programs',
    `Programs of Fullhouse, such as agents and ffmpeg, get these variables and no others: ${[...passedOn].map(code).join(', ')}, and those that start with ${passedStarts.map(code).join(', ')}. Programs that a plan names get all variables except \`FULLHOUSE_…\` and those with a known secret.`,
    'A hook (`hooks: [{ run: … }]`) also gets:',
    table(
      ['variable', 'value'],
      Object.entries(hookVariables).map(([name, { meaning }]) => [code(name), meaning]),
    ),
    'The program of a token list (`tokens: { command: … }`) also gets:',
    table(
      ['variable', 'value'],
      Object.entries(tokenVariables).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n\n')}\n`;
