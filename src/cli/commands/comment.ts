import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { Budget } from '../../domain/budget/budget';
import { parseForeignJson } from '../../domain/budget/foreignJson';
import { systemClock, timeoutSignal } from '../../engine/base/clock';
import { reasonNotRead } from '../../engine/store/failure';
import { command, form } from '../command';
import { markerOf } from '../commentMarker';
import { exitCodes } from '../exitCodes';
import { text } from '../options';
import { print, printStatus } from '../print';
import { UsageError } from '../usageError';
import { variablesOf, type VariableName } from '../../engine/base/variables';

export const comment = command({
  name: 'comment',
  operand: 'file',
  options: { 'pull-request': text('N', 'number of the pull request') },
  forms: [form('FILE --pull-request N', 'create or update this text as a comment (GitHub)')],
  examples: ['comment comment.md --pull-request 7'],
  exitCodes: { pass: 'done, or GitHub refused it for lack of permission' },
  read: ({ operand, values }) => {
    const file = operand('FILE');
    const number = values['pull-request'] ?? '';
    if (!/^[1-9]\d{0,9}$/.test(number))
      throw new UsageError(`--pull-request must be the number of a pull request, not "${number}".`);
    return { file, pullRequest: Number(number) };
  },
  run: writeComment,
});

interface CommentInput {
  readonly file: string;
  readonly pullRequest: number;
}

const comments = z.array(z.object({ id: z.number().int(), body: z.string().nullish() }));
const perPage = 100;
/** A pull request with more comments than that gets a new one. */
const maxPages = 20;
/** Limit of GitHub for one comment, in characters. */
const maxLength = 65_536;
const timeoutMs = 30_000;

/**
 * Creates the text of a file as a comment on a pull request, or updates the one that an earlier run created. Without
 * permission it says so and succeeds: workflows of forks have a token that may only read.
 */
async function writeComment({ file, pullRequest }: CommentInput): Promise<number> {
  const body = textOf(file);
  const marker = markerOf(body);
  if (marker === undefined)
    throw new FullhouseError('no-comment', `${file} is not the text of a comment; write it by fullhouse ci --comment.`);
  const api = gitHub();
  const existing = await api.find(pullRequest, marker);
  const answer =
    existing === undefined
      ? await api.send('POST', `issues/${pullRequest}/comments`, { body })
      : await api.send('PATCH', `issues/comments/${existing}`, { body });
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    printStatus(
      `No comment on pull request ${pullRequest}: GitHub refused it (${answer.status}). The job needs "permissions: pull-requests: write"; in workflows of forks it can't have it.`,
    );
    return exitCodes.pass;
  }
  if (!answer.ok) throw refused(answer);
  print(`${existing === undefined ? 'Created' : 'Updated'} the comment on pull request ${pullRequest}.`);
  return exitCodes.pass;
}

function textOf(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length <= maxLength ? text : `${text.slice(0, maxLength - 20)}\n\n(shortened)`;
  } catch (error) {
    throw new FullhouseError('no-comment', `${file} can't be read: ${reasonNotRead(error)}.`, { cause: error });
  }
}

interface GitHub {
  /** The comment that starts with this marker. */
  find(pullRequest: number, marker: string): Promise<number | undefined>;
  send(method: 'POST' | 'PATCH', path: string, value: object): Promise<Response>;
}

/** The variables that GitHub sets in a job, and the token that the workflow passes. */
const variables = {
  GITHUB_TOKEN: z.string().min(1),
  GITHUB_REPOSITORY: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  GITHUB_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.github.com'),
} satisfies Partial<Record<VariableName, z.ZodType>>;

function gitHub(): GitHub {
  const names = Object.keys(variables) as ReadonlyArray<keyof typeof variables>;
  const parsed = z.object(variables).safeParse(variablesOf(names));
  if (!parsed.success)
    throw new FullhouseError(
      'no-comment',
      `The variable ${String(parsed.error.issues[0]?.path[0])} is missing or invalid; pass the job's token as GITHUB_TOKEN, GitHub sets the others.`,
    );
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository, GITHUB_API_URL: base } = parsed.data;
  const call = async (method: string, path: string, value?: object): Promise<Response> => {
    try {
      return await fetch(`${base}/repos/${repository}/${path}`, {
        method,
        headers: {
          Accept: 'application/vnd.github+json',
          Authorization: `Bearer ${token}`,
          'X-GitHub-Api-Version': '2022-11-28',
          ...(value ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(value ? { body: JSON.stringify(value) } : {}),
        // The token goes to this host only.
        redirect: 'error',
        signal: timeoutSignal(systemClock, timeoutMs),
      });
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error };
      throw new FullhouseError('no-comment', `${base} did not respond: ${cause?.message ?? message}. Try again.`, {
        cause: error,
      });
    }
  };
  return {
    find: async (pullRequest, marker) => {
      for (let page = 1; page <= maxPages; page += 1) {
        const answer = await call('GET', `issues/${pullRequest}/comments?per_page=${perPage}&page=${page}`);
        // Without permission to read, creating one decides.
        if (!answer.ok) return undefined;
        const listing = comments.safeParse(await jsonOf(answer).catch(() => undefined));
        if (!listing.success)
          throw new FullhouseError('no-comment', `${base} sent no list of comments; check GITHUB_API_URL.`);
        const ours = listing.data.find(({ body }) => body?.startsWith(marker));
        if (ours) return ours.id;
        if (listing.data.length < perPage) return undefined;
      }
      return undefined;
    },
    send: call,
  };
}

/** A page of comments, each of which has up to 64 kB. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** The body as JSON, of which no more is read than that: what was compressed may be much larger. */
async function jsonOf(answer: Response): Promise<unknown> {
  const budget = new Budget('the response', maxAnswerBytes, 'bytes');
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) {
    budget.take(chunk.length);
    chunks.push(chunk);
  }
  return parseForeignJson(Buffer.concat(chunks).toString('utf8'));
}

function refused({ status, url }: Response): FullhouseError {
  return new FullhouseError('no-comment', `${new URL(url).host} refused the comment with status ${status}; try again.`);
}
