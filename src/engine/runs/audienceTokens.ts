import { FullhouseError } from '../../contract/calls';
import type { Audience } from '../../domain/model/plan';
import { defaultClaims, tokenPlaceholder, type PlanTokens } from '../../domain/model/viewerTokens';
import { protocolNames } from '../../domain/model/protocols';
import { withReferences } from '../../domain/secrets/references';
import { runProgram } from '../base/program';
import { loadTextFile } from '../base/readTextFile';
import { signedToken } from '../base/jwt';
import { secretsForProgram } from '../secrets/resolve';
import type { SecretBox } from '../secrets/secretBox';
import type { ViewerTokens } from '../servers/adapter';
import type { PullTarget } from './pull';
import { formatCount } from '../../domain/text/numberFormat';
import { tokenValues } from './hookVariables';

/** A signed token is valid this long before it is made, and after the last arrival: clocks differ. */
const leewayMs = 600_000;

/** A command that takes longer, or writes more, is ended. */
const commandMs = 30_000;
const maxOutput = 64 * 1024 * 1024;

interface Sources {
  readonly secrets: Pick<SecretBox, 'value' | 'mask'>;
  readonly nowMs: () => number;
}

/**
 * The target of an audience with the tokens of its plan: in place of `{token}` in the address or in headers, else bearer
 * tokens of WHEP.
 * Throws a sentence if there are none or too few, or if they can't be sent.
 */
export async function withAudienceTokens<Target extends Pick<PullTarget, 'url' | 'urls' | 'tokens'>>(
  target: Target,
  {
    tokens,
    headers = {},
    protocol,
    from,
    viewers,
    search,
  }: Pick<Audience, 'tokens' | 'headers' | 'protocol' | 'from' | 'viewers' | 'search'>,
  sources: Sources,
): Promise<Target & Pick<PullTarget, 'urls' | 'tokens'>> {
  if (!tokens) return target;
  const { command } = tokens;
  // A search may end before it needs a token for each viewer.
  const needed = search ? 0 : viewers;
  const next = command
    ? inOrder(await outputOf(command, viewers, sources), command[0], needed)
    : await tokensInOrder(tokens, needed, sources);
  const places = [tokenPlaceholder, encodeURIComponent(tokenPlaceholder)];
  const hasPlace = (url: string): boolean => places.some((place) => url.includes(place));
  const isInHeaders = Object.values(headers).some((value) => value.includes(tokenPlaceholder));
  if (hasPlace(target.url) && isInHeaders)
    throw new FullhouseError(
      'two-token-places',
      `Both the address of ${from} and the headers of its viewers have a ${tokenPlaceholder}. Remove one of them.`,
    );
  if (hasPlace(target.url)) {
    const addresses = target.urls ?? (() => [target.url]);
    const filled = (url: string, token: string): string =>
      places.reduce((text, place) => text.replaceAll(place, encodeURIComponent(token)), url);
    return {
      ...target,
      urls: (viewers: number) => {
        const among = addresses(viewers);
        return next(viewers, 0).map((token, index) => filled(among[index % among.length] ?? target.url, token));
      },
    };
  }
  if (isInHeaders || protocol === 'whep') return { ...target, tokens: next };
  throw new FullhouseError(
    'no-token-place',
    `The address of ${from} over ${protocolNames[protocol]} has no ${tokenPlaceholder} for the token of each viewer, and neither have its headers. Edit the node to add it.`,
  );
}

/** Tokens of the viewers in the order of their arrival, each one once. */
async function tokensInOrder(from: PlanTokens, needed: number, { secrets, nowMs }: Sources): Promise<ViewerTokens> {
  const { file, template, secret, claims = defaultClaims } = from;
  if (file !== undefined) return inOrder(await listIn(file), file, needed);
  let taken = 0;
  const numbers = (count: number): readonly string[] => Array.from({ length: count }, () => String((taken += 1)));
  if (template !== undefined) return (count) => numbers(count).map((n) => template.replaceAll('{n}', n));
  const key = withReferences(secret ?? '', (each) => secrets.value(each));
  return (count, withinMs) =>
    numbers(count).map((n) =>
      signedToken(
        {
          ...(JSON.parse(claims.replaceAll('{n}', n)) as object),
          iat: Math.floor((nowMs() - leewayMs) / 1000),
          exp: Math.floor((nowMs() + withinMs + leewayMs) / 1000),
        },
        key,
      ),
    );
}

/** Size of a list with a token of 1 kB for each of 60,000 viewers. */
export const maxListBytes = 64_000_000;

async function listIn(file: string): Promise<readonly string[]> {
  try {
    return tokensIn(await loadTextFile(file, maxListBytes));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new FullhouseError('no-tokens', `The list of tokens ${file} can't be read (${code}). Correct its path.`);
  }
}

/** One a line. */
export const tokensIn = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Why a list of tokens is too short; `what` is where they come from. Undefined if it suffices. */
export const tooFewTokens = (tokens: number, viewers: number, what: string): string | undefined =>
  tokens >= viewers
    ? undefined
    : `${what} has ${formatCount(tokens)} ${tokens === 1 ? 'token' : 'tokens'}, and viewer ${formatCount(tokens + 1)} needs one more. Add tokens, or pull fewer viewers.`;

/** The tokens of a list, each once; rejects if it has fewer than `viewers`. */
function inOrder(all: readonly string[], what: string, viewers: number): ViewerTokens {
  const require = (count: number): void => {
    const sentence = tooFewTokens(all.length, count, what);
    if (sentence !== undefined) throw new FullhouseError('too-few-tokens', sentence);
  };
  require(viewers);
  let taken = 0;
  return (count) => {
    const ownTokens = all.slice(taken, taken + count);
    taken += count;
    require(taken);
    return ownTokens;
  };
}

/** The tokens that a program writes. It is told how many viewers the audience has at its peak. */
async function outputOf(
  command: readonly [string, ...string[]],
  viewers: number,
  { secrets }: Sources,
): Promise<readonly string[]> {
  const input = secretsForProgram(command, secrets);
  try {
    const bounds = { timeoutMs: commandMs, maxBytes: maxOutput, isSecret: (value: string) => secrets.mask.has(value) };
    return tokensIn(await runProgram(command, { variables: tokenValues(viewers), ...bounds, ...(input && { input }) }));
  } catch (error) {
    throw new FullhouseError(
      'no-tokens',
      `The command of the tokens, ${command[0]}, failed: ${(error as Error).message} Correct "tokens.command" of the plan.`,
    );
  }
}
