import { keepableKinds, type KeepableKind, type RedactionChoice } from '../domain/redaction/identifyingValues';
import { text } from './options';
import { UsageError } from './usageError';

/** The kinds of customer data, as typed. */
const kindOf: Readonly<Record<string, KeepableKind>> = Object.fromEntries(
  keepableKinds.map((kind) => [kind === 'address' ? 'addresses' : `${kind}s`, kind]),
);
const words = Object.keys(kindOf).join(', ');

export const redact = text(
  'KINDS',
  `remove customer data: all, or a comma-separated list of ${words}; keys and tokens are always removed`,
);

/** The value of `--redact`. Throws a `UsageError`. */
export function redactionOf(typed: string): RedactionChoice {
  if (typed === 'all') return { keepKinds: [], keep: [] };
  const named = typed
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const isKind = (word: string): boolean => Object.hasOwn(kindOf, word);
  const unknown = named.find((word) => word !== 'keys' && !isKind(word));
  if (unknown !== undefined || named.length === 0)
    throw new UsageError(
      `--redact takes "all" or some of ${words}, separated by commas${unknown === undefined ? '' : `; "${unknown}" is unknown`}. Keys and tokens are always removed.`,
    );
  return { keepKinds: keepableKinds.filter((kind) => !named.some((word) => kindOf[word] === kind)), keep: [] };
}
