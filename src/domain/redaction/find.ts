import { canonicalHost, canonicalIpv6, isPublicAddress } from './addresses';
import { mapTexts, type FieldKind } from './fields';
import {
  identifyingKinds,
  noteRemoved,
  stillValue,
  type FoundValue,
  type IdentifyingKind,
  type PartOfRun,
} from './identifyingValues';
import { hitsIn, loginHits, removed, type Hit } from './patterns';
import { isCommonNodeName } from './programWords';

const pseudonyms: Readonly<Partial<Record<IdentifyingKind, string>>> = {
  address: 'host',
  stream: 'stream',
  node: 'node',
  user: 'user',
  file: 'file',
  name: 'run',
};
const stillLeftOut = '(left out)';

/**
 * Everything in a run that could identify the customer, with a pseudonym for each: the same for every spelling, in all
 * parts, and not yet used in the run. Pure: the same parts give the same values.
 */
export function findIdentifying(parts: readonly PartOfRun[]): FoundValue[] {
  const found = new Map<string, { kind: IdentifyingKind; writings: Set<string> }>();
  const kinds = new Map<string, IdentifyingKind>();
  const add = ({ kind, text }: Hit): void => {
    if (text.trim() === '' || text === removed) return;
    const writing = kind === 'address' ? canonicalHost(text) : text;
    const known = kinds.get(writing);
    if (known !== undefined && identifyingKinds.indexOf(known) <= identifyingKinds.indexOf(kind)) {
      found.get(`${known}\n${writing}`)?.writings.add(text);
      return;
    }
    const writings = new Set([text]);
    if (known !== undefined) {
      for (const each of found.get(`${known}\n${writing}`)?.writings ?? []) writings.add(each);
      found.delete(`${known}\n${writing}`);
    }
    kinds.set(writing, kind);
    found.set(`${kind}\n${writing}`, { kind, writings });
  };

  const texts = new Set<string>();
  const seen = new Set<string>();
  for (const { part, value, path } of parts) {
    if (part === 'stills')
      for (const still of Array.isArray(value) ? (value as unknown[]) : [])
        if (typeof still === 'object' && still !== null && 'id' in still)
          add({ kind: 'still', text: stillValue(Number(still.id)) });
    mapTexts(value, path ?? [part], (text, field) => {
      if (field === 'fixed' || field === 'runId' || seen.has(`${field}\n${text}`)) return text;
      seen.add(`${field}\n${text}`);
      for (const hit of hitsOfField(text, field)) add(hit);
      texts.add(text);
      return text;
    });
  }

  const all = [...texts].join('\n').toLowerCase();
  const numbers = new Map<IdentifyingKind, number>();
  const next = (kind: IdentifyingKind, word: string): string => {
    for (;;) {
      const number = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, number);
      // A node already named like a pseudonym would be confused with another one.
      if (!all.includes(`${word}-${number}`)) return `${word}-${number}`;
    }
  };
  return [...found.values()].map(({ kind, writings }) => {
    const [value = ''] = writings;
    const word = pseudonyms[kind];
    return {
      kind,
      value,
      writings: withEncoded(writings),
      becomes: word ? next(kind, word) : fixedFor(kind),
    };
  });
}

function fixedFor(kind: IdentifyingKind): string {
  if (kind === 'note') return noteRemoved;
  return kind === 'still' ? stillLeftOut : removed;
}

/** Within addresses some characters are encoded, and IPv6 is in brackets, which its pseudonym does not need. */
function withEncoded(writings: ReadonlySet<string>): Set<string> {
  return new Set(
    [...writings].flatMap((each) => [
      each,
      encodeURIComponent(each),
      ...(canonicalIpv6(each) === undefined ? [] : [`[${each}]`]),
    ]),
  );
}

function hitsOfField(text: string, field: FieldKind): Hit[] {
  const found = hitsIn(text);
  switch (field) {
    case 'node':
      return text
        .split(', ')
        .filter((name) => !isCommonNodeName(name))
        .map((name): Hit => ({
          kind: hitsIn(name).some((hit) => hit.text === name) ? 'address' : 'node',
          text: name,
        }));
    case 'stream': {
      const parts = text.split('/').filter((part) => part.length > 2 && part !== text && part !== 'live');
      return [text, ...parts].map((part) => ({ kind: 'stream', text: part }));
    }
    case 'host': {
      const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^([^:]+):\d+$/, '$1');
      return isPublicAddress(bare) ? found : [{ kind: 'address', text: bare }, ...found];
    }
    case 'login':
      return loginHits(text);
    case 'author':
      return text === 'you' ? [] : [{ kind: 'user', text }];
    case 'name':
    case 'note':
    case 'user':
    case 'secret':
    case 'file':
      return [{ kind: field, text }, ...found];
    case 'fixed':
    case 'runId':
      return [];
    case 'text':
      return found;
  }
}
