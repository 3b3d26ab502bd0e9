import { readFileSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { PlanPull } from '../../domain/model/plan';
import { defaultClaims, tokenPlaceholder, type PlanTokens } from '../../domain/model/viewerTokens';
import { protocolNames } from '../../domain/model/protocols';
import { withReferences } from '../../domain/secrets/references';
import { signedToken } from '../base/jwt';
import { whole } from '../base/sentences';
import type { SecretBox } from '../secrets/secretBox';
import type { ViewerTokens } from '../servers/adapter';
import type { PullTarget } from './pull';

/** A signed token is valid this long before it is made, and after the last arrival: clocks differ. */
const leewayMs = 600_000;

interface Sources {
  readonly secrets: Pick<SecretBox, 'value'>;
  readonly nowMs: () => number;
}

/**
 * The target of an audience with the tokens of its plan: bearer tokens of WHEP, or in place of `{token}` in the address.
 * Throws a sentence if there are none or too few, or if they can't be sent.
 */
export function withAudienceTokens<Target extends Pick<PullTarget, 'url' | 'urls' | 'tokens'>>(
  target: Target,
  { tokens, protocol, from }: Pick<PlanPull, 'tokens' | 'protocol' | 'from'>,
  sources: Sources,
): Target & Pick<PullTarget, 'urls' | 'tokens'> {
  if (!tokens) return target;
  const next = tokensInOrder(tokens, sources);
  const places = [tokenPlaceholder, encodeURIComponent(tokenPlaceholder)];
  const hasPlace = (url: string): boolean => places.some((place) => url.includes(place));
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
  if (protocol === 'whep') return { ...target, tokens: next };
  throw new FullhouseError(
    'no-token-place',
    `The address of ${from} over ${protocolNames[protocol]} has no ${tokenPlaceholder} for the token of each viewer. Edit the node to add it.`,
  );
}

/** Tokens of the viewers in the order of their arrival, each one once. */
function tokensInOrder(from: PlanTokens, { secrets, nowMs }: Sources): ViewerTokens {
  let taken = 0;
  const numbers = (count: number): readonly string[] => Array.from({ length: count }, () => String((taken += 1)));
  const { file, template, secret, claims = defaultClaims } = from;
  if (file !== undefined) {
    const all = listIn(file);
    return (count) => {
      const own = all.slice(taken, taken + count);
      taken += count;
      if (own.length === count) return own;
      throw new FullhouseError(
        'too-few-tokens',
        `${file} has ${whole(all.length)} tokens, and viewer ${whole(all.length + 1)} needs one more. Add tokens, or pull fewer viewers.`,
      );
    };
  }
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

function listIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new FullhouseError('no-tokens', `The list of tokens ${file} can't be read (${code}). Correct its path.`);
  }
}
