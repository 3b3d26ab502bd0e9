import type { Audience } from '../model/plan';
import { tokenPlaceholder } from '../model/viewerTokens';
import { isSecretName } from '../redaction/patterns';
import { referencesIn } from '../secrets/references';

/** Names that the request itself needs, in lower case; one that ends in * stands for all names that start so. */
export const refusedHeaders = [
  ...['host', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'transfer-encoding', 'expect', 'range', 'if-*'],
  ...['content-*', 'accept-encoding', 'proxy-*', 'sec-websocket-*'],
] as const;

export const maxHeaders = 20;
export const maxHeaderValue = 1000;

const nameCharacters = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const valueCharacters = /^[!-~]([ -~]*[!-~])?$/;

/** Why a value can't be sent, one sentence without the value, which may be a secret. */
export const headerValueFault = (name: string, value: string): string | undefined =>
  valueCharacters.test(value) && value.length <= maxHeaderValue
    ? undefined
    : `The value of ${name} must have 1 to ${maxHeaderValue} printable ASCII characters, and no space at its ends.`;

/** Why viewers can't send a header of this name and value, one sentence. */
export function headerFault(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (!nameCharacters.test(name)) return `"${name}" is not the name of a header. Write letters, digits and hyphens.`;
  if (
    refusedHeaders.some((header) => (header.endsWith('*') ? lower.startsWith(header.slice(0, -1)) : lower === header))
  )
    return `The header ${name} belongs to the request itself. Remove it.`;
  const ofValue = headerValueFault(name, value);
  if (ofValue !== undefined) return ofValue;
  const isSecret = /^(authorization|cookie)$/i.test(name) || isSecretName(name);
  if (isSecret && referencesIn(value).length === 0 && !/\{(n|token)\}/.test(value))
    return `The value of ${name} may be a secret, which must not be written into a plan. Write $env:NAME, $secret:NAME or ${tokenPlaceholder} instead.`;
  return undefined;
}

/** Why an audience can't send its headers, one sentence; undefined if it can. */
export function headersFault({ headers, tokens }: Pick<Audience, 'headers' | 'tokens'>): string | undefined {
  if (!headers) return undefined;
  const entries = Object.entries(headers);
  if (entries.length === 0 || entries.length > maxHeaders) return `Write 1 to ${maxHeaders} headers.`;
  const fault = entries.map(([name, value]) => headerFault(name, value)).find((fault) => fault !== undefined);
  if (fault !== undefined) return fault;
  const names = entries.map(([name]) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The header ${twice} is written twice. Remove one of them.`;
  if (!tokens && entries.some(([, value]) => value.includes(tokenPlaceholder)))
    return `The headers contain ${tokenPlaceholder}, but the audience has no tokens. Add tokens.`;
  return undefined;
}
