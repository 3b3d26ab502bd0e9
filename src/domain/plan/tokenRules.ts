import type { Audience } from '../model/plan';

/** Why a text can't be the claims of tokens. */
export function claimsFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  } catch {
    // Reported below.
  }
  return 'The claims are not a JSON object.';
}

/** Why an audience can't have these tokens, one sentence; undefined if it can. */
export function tokensFault({ tokens }: Pick<Audience, 'tokens'>): string | undefined {
  if (!tokens) return undefined;
  const { file, template, command, secret, claims } = tokens;
  if ([file, template, command, secret].filter((option) => option !== undefined).length !== 1)
    return 'The tokens of viewers come from one of file, template, command and secret. Write exactly one of them.';
  if (claims !== undefined && secret === undefined)
    return 'Claims are of signed tokens. Add the secret, or remove the claims.';
  return undefined;
}
