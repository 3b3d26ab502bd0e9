import { type FailureGroup, failureStages, type FailureStage } from '../model/run';
import type { Cause, CauseText } from './cause';
import { connectionCauses } from './connectionCauses';
import { numberedFamilies, type NumberedFamily } from './families';
import { mediaCauses } from './mediaCauses';
import { serverCauses, testerCauses } from './serverCauses';
import { sessionCauses } from './sessionCauses';

/**
 * All causes of failed viewers: the one list from which Go's constants (`npm run protocol`), the words of window,
 * report, log and command line, and docs/causes.md derive. An agent can report no other cause; one of another version
 * is shown as it is.
 */
export const causes = {
  ...connectionCauses,
  ...sessionCauses,
  ...mediaCauses,
  ...serverCauses,
  ...testerCauses,
} as const;

/** A cause that the console itself reports. */
export type FailureCause = keyof typeof causes | `http-${number}`;

/** A failure by what it is grouped by. */
export type FailureKey = Pick<FailureGroup, 'stage' | 'cause'>;

/** The causes of the list by name. */
export const listedCauses: Readonly<Record<string, Cause>> = causes;

/** Stage names, short enough for a row of ten. */
export const stageNames: Readonly<Record<FailureStage, string>> = {
  name: 'name',
  tcp: 'TCP',
  tls: 'TLS',
  signalling: 'signalling',
  turn: 'TURN',
  ice: 'ICE',
  dtls: 'DTLS',
  'first-packet': 'packet',
  'first-frame': 'frame',
  media: 'media',
};

/** Whether the list has the cause; those by number and those with a stage before them aside. */
export function isListed(cause: string): cause is keyof typeof causes {
  return Object.hasOwn(causes, cause);
}

/** The text of a failure; undefined for a cause that this version does not know. */
export function causeText({ stage, cause }: FailureKey): CauseText | undefined {
  const listed = isListed(cause) ? listedCauses[cause] : undefined;
  if (listed) return listed.at?.[stage] ?? listed;
  const family = familyOf(cause);
  if (family) return family.text(valueIn(family, cause));
  const inner = innerFailure(cause);
  const text = inner && causeText(inner);
  if (!inner || !text) return undefined;
  const server = stage === 'turn' ? 'TURN server' : `Media over ${stageNames[inner.stage]}`;
  return { title: `${server}: ${midSentence(text.title)}`, advice: text.advice };
}

/** What happened, as a clause; a cause that this version does not know is shown as it is. */
export function failureTitle(failure: FailureKey): string {
  return causeText(failure)?.title ?? failure.cause;
}

/** The stage and what happened, `ICE: no candidate pair responded in time`, to follow "failed at". */
export function failedAt(failure: FailureKey): string {
  return `${stageNames[failure.stage]}: ${failureClause(failure)}`;
}

/** What happened, within a sentence. */
export function failureClause(failure: FailureKey): string {
  return midSentence(failureTitle(failure));
}

/** How the server's response, if it was one, explains a failure. */
export function responseOf(cause: string): Cause['response'] {
  if (isListed(cause)) return listedCauses[cause]?.response;
  const family = familyOf(cause);
  return family?.response?.(Number(valueIn(family, cause)));
}

function familyOf(cause: string): NumberedFamily | undefined {
  return numberedFamilies.find(({ prefix, names = {}, beforeNumber = '' }) => {
    if (!cause.startsWith(prefix)) return false;
    const rest = cause.slice(prefix.length);
    return Object.values(names).includes(rest) || new RegExp(`^${beforeNumber}\\d{1,5}$`).test(rest);
  });
}

/** The number that follows the prefix of a family, or the name that stands for it. */
const valueIn = ({ prefix, beforeNumber = '' }: NumberedFamily, cause: string): string =>
  cause.slice(prefix.length).replace(new RegExp(`^${beforeNumber}(?=\\d)`), '');

function innerFailure(cause: string): FailureKey | undefined {
  const inner = failureStages.find((stage) => cause.startsWith(`${stage}-`));
  return inner && { stage: inner, cause: cause.slice(inner.length + 1) };
}

/** A title within a sentence: lower case, unless it starts with an abbreviation. */
function midSentence(title: string): string {
  return /^[A-Z][a-z' ]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** docs/causes.md. */
export function causesPage(): string {
  const row = (name: string, stage: string, { title, advice }: CauseText): string =>
    `| \`${name}\` | ${stage} | ${title} | ${advice} |`;
  const rows = Object.entries(listedCauses).flatMap(([name, cause]) => [
    row(name, cause.at ? 'others' : '', cause),
    ...failureStages.flatMap((stage) => (cause.at?.[stage] ? [row(name, stage, cause.at[stage])] : [])),
  ]);
  const numbered = numberedFamilies.flatMap(({ prefix, explained = [], text }) =>
    explained.map((number) => row(`${prefix}${number}`, '', text(number))),
  );
  return (
    [
      '# Causes of failure',
      'Generated from `src/domain/failure`; a test fails for a cause without words. Viewers that fail are grouped by stage\nand cause. Window, report, log and command line show the titles; JSON, SQLite and the agent protocol have the names.\nA cause of another version that is not listed here is shown by its name.',
      ['| cause | stage | what happened | what to do |', '| --- | --- | --- | --- |', ...rows, ...numbered].join('\n'),
      '## By number',
      [
        '| cause | number |',
        '| --- | --- |',
        ...numberedFamilies.map(
          ({ prefix, number, names, beforeNumber = '' }) =>
            `| \`${prefix}${beforeNumber}N\` | ${number}${
              names
                ? `; by name: ${Object.values(names)
                    .map((name) => `\`${prefix}${name}\``)
                    .join(', ')}`
                : ''
            } |`,
        ),
      ].join('\n'),
      'A failure of a connection below another stage has its own stage before its cause: `tcp-refused` at `turn` is a refused\nTCP connection to the TURN server.',
    ].join('\n\n') + '\n'
  );
}
