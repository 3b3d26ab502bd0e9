import { readInconclusiveIs } from './exitCodes';
import { UsageError } from './usageError';

export type CiCommand = {
  readonly command: 'ci';
  readonly plan: string;
  readonly out: string;
  readonly sets: readonly string[];
  readonly allowHooks: boolean;
  readonly yes: boolean;
  readonly acceptHostKeys: readonly string[];
  /** Run files and folders of them: the first run is the baseline, the others its repeats. */
  readonly baselines: readonly string[];
  /** File to which the result is appended as Markdown. */
  readonly summary: string | undefined;
  /** File for the text of a comment on a pull request. */
  readonly comment: string | undefined;
  readonly junit: string | undefined;
  /** Exit code of an inconclusive run. */
  readonly inconclusiveIs: number;
  /** File to which verdict and paths are appended as `key=value`. */
  readonly outputs: string | undefined;
  /** Address of run file and report, for the Markdown. */
  readonly link: string | undefined;
};

export type CommentCommand = {
  readonly command: 'comment';
  readonly file: string;
  readonly pullRequest: number;
};

export const ciOptions = {
  baseline: { type: 'string', multiple: true },
  summary: { type: 'string' },
  comment: { type: 'string' },
  outputs: { type: 'string' },
  link: { type: 'string' },
  'pull-request': { type: 'string' },
  'inconclusive-is': { type: 'string' },
} as const;

interface Values {
  readonly out?: string;
  readonly set?: readonly string[];
  readonly baseline?: readonly string[];
  readonly 'allow-hooks'?: boolean;
  readonly yes?: boolean;
  readonly 'accept-host-key'?: readonly string[];
  readonly summary?: string;
  readonly comment?: string;
  readonly junit?: string;
  readonly outputs?: string;
  readonly link?: string;
  readonly 'pull-request'?: string;
  readonly 'inconclusive-is'?: string;
}

/** The input of a CI system is one text: several values are one per line, and an empty text is no value. */
const lines = (values: readonly string[] = []): string[] =>
  values.flatMap((value) => value.split('\n').map((line) => line.trim())).filter((line) => line !== '');

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Throws a `UsageError`, like the other. */
export function readCi(plan: string, values: Values, defaultOut: string): CiCommand {
  const link = given(values.link);
  if (link !== undefined && !/^https?:\/\//.test(link))
    throw new UsageError(`--link must start with https:// or http://, not "${link}".`);
  return {
    command: 'ci',
    plan,
    out: given(values.out) ?? defaultOut,
    sets: lines(values.set),
    allowHooks: values['allow-hooks'] ?? false,
    yes: values.yes ?? false,
    acceptHostKeys: lines(values['accept-host-key']),
    baselines: lines(values.baseline),
    summary: given(values.summary),
    comment: given(values.comment),
    junit: given(values.junit),
    inconclusiveIs: readInconclusiveIs(given(values['inconclusive-is'])),
    outputs: given(values.outputs),
    link,
  };
}

export function readComment(file: string, values: Values): CommentCommand {
  const number = values['pull-request'] ?? '';
  if (!/^[1-9]\d{0,9}$/.test(number))
    throw new UsageError(`--pull-request must be the number of a pull request, not "${number}".`);
  return { command: 'comment', file, pullRequest: Number(number) };
}
