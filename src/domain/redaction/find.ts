import { canonicalHost, canonicalIpv6, isPublicAddress } from './addresses';
import type { FieldRule } from '../model/fieldRule';
import { addressParts, loginParts } from './fieldParts';
import {
  identifyingKinds,
  noteRemoved,
  saveEmptyRun,
  stillValue,
  type FoundValue,
  type IdentifyingKind,
  type PartOfRun,
} from './identifyingValues';
import { mapTexts } from './mapTexts';
import { foreignPartOfSeries } from './names';
import { hitsIn, isCommonUser, removed, withoutSecrets, type Hit } from './patterns';
import { isCommonNodeName } from './programWords';
import { isCommonProgram, namedProgram } from './programs';
import { Redactor } from './redact';
import { isOwnText } from './words';

const pseudonyms: Readonly<Partial<Record<IdentifyingKind, string>>> = {
  address: 'host',
  stream: 'stream',
  node: 'node',
  user: 'user',
  file: 'file',
  name: 'run',
  program: 'program',
};
const stillLeftOut = '(left out)';

/** A value of a field: `word` names its pseudonym if not by its kind. */
interface FieldHit extends Hit {
  readonly word?: string;
}

interface Found {
  readonly kind: IdentifyingKind;
  readonly writings: Set<string>;
  readonly word: string | undefined;
}

/**
 * Everything in a run that could identify the customer, with a pseudonym for each: the same for every spelling, in all
 * parts, and not yet used in the run. Pure: the same parts give the same values.
 */
export function findIdentifying(parts: readonly PartOfRun[]): FoundValue[] {
  const values = identities(parts);
  return [...values, ...foreignTexts(parts, values)];
}

function identities(parts: readonly PartOfRun[]): FoundValue[] {
  const found = new Map<string, Found>();
  const kinds = new Map<string, IdentifyingKind>();
  const add = ({ kind, text, word }: FieldHit): void => {
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
    found.set(`${kind}\n${writing}`, { kind, writings, word });
  };

  const texts = new Set<string>();
  const seen = new Set<string>();
  for (const { part, value, shape } of parts) {
    if (part === 'stills')
      for (const still of Array.isArray(value) ? (value as unknown[]) : [])
        if (typeof still === 'object' && still !== null && 'id' in still)
          add({ kind: 'still', text: stillValue(Number(still.id)) });
    mapTexts(value, shape, (text, rule) => {
      const key = `${rule}\n${text}`;
      if (seen.has(key)) return text;
      seen.add(key);
      for (const hit of hitsOfField(text, rule)) add(hit);
      texts.add(text);
      return text;
    });
  }

  const all = [...texts].join('\n').toLowerCase();
  const numbers = new Map<string, number>();
  const next = (word: string): string => {
    const sign = word === 'label' ? '_' : '-';
    for (;;) {
      const number = (numbers.get(word) ?? 0) + 1;
      numbers.set(word, number);
      // A node already named like a pseudonym would be confused with another one.
      if (!all.includes(`${word}${sign}${number}`)) return `${word}${sign}${number}`;
    }
  };
  return [...found.values()].map(({ kind, writings, word = pseudonyms[kind] }) => {
    const [value = ''] = writings;
    return { kind, value, writings: withEncoded(writings), becomes: word ? next(word) : fixedFor(kind) };
  });
}

/** The texts from elsewhere, as a copy without any choice would leave them out. */
function foreignTexts(parts: readonly PartOfRun[], values: readonly FoundValue[]): FoundValue[] {
  const found = new Map<string, { readonly becomes: string; readonly writings: Set<string> }>();
  const redactor = new Redactor(values, saveEmptyRun, {
    onForeign: (text, becomes) => {
      // As it is displayed: without its keys.
      const value = withoutSecrets(text).trim();
      const known = found.get(value);
      if (known) known.writings.add(text);
      else found.set(value, { becomes, writings: new Set([text]) });
    },
  });
  for (const { value, shape } of parts) redactor.value(value, shape);
  return [...found]
    .filter(([value]) => value !== '')
    .map(([value, { becomes, writings }]) => ({ kind: 'text', value, becomes, writings }));
}

function fixedFor(kind: IdentifyingKind): string {
  if (kind === 'note') return noteRemoved;
  return kind === 'still' ? stillLeftOut : removed;
}

/** Within addresses some characters are encoded, and IPv6 is in brackets, which its pseudonym does not need. */
function withEncoded(writings: ReadonlySet<string>): Set<string> {
  return new Set(
    [...writings].flatMap((each) => [each, encoded(each), ...(canonicalIpv6(each) === undefined ? [] : [`[${each}]`])]),
  );
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // a lone surrogate
  }
}

const users = (text: string | undefined): Hit[] =>
  text === undefined || text === '' || isCommonUser(text) ? [] : [{ kind: 'user', text }];
const hosts = (text: string): Hit[] => {
  const bare = text.replace(/^\[|\]$/g, '');
  return bare === '' || isPublicAddress(bare) || /[{}$]/.test(bare) ? [] : [{ kind: 'address', text: bare }];
};

function loginHits(text: string): Hit[] {
  return text.split(',').flatMap((login): Hit[] => {
    const parts = loginParts(login);
    return parts ? [...users(parts.user), ...hosts(parts.host)] : hitsIn(login);
  });
}

function addressHits(text: string): Hit[] {
  const parts = addressParts(text);
  if (!parts) return hitsIn(text);
  const { user, password, host } = parts;
  const secret: Hit[] = password === undefined ? [] : [{ kind: 'secret', text: password }];
  return [...users(user), ...hosts(host), ...secret, ...hitsIn(text).filter(({ kind }) => kind === 'secret')];
}

function hitsOfField(text: string, rule: FieldRule): FieldHit[] {
  switch (rule) {
    case 'figure':
    case 'fixed':
    case 'id':
    case 'runId':
    case 'foreign':
    case 'reference':
      return [];
    case 'composed':
    case 'hardware':
      return [...hitsIn(text), ...programsIn(text)];
    case 'argument':
    case 'claims':
      // What is a word or a host elsewhere stays one.
      return hitsIn(text);
    case 'reach': {
      const [, only = ''] = /^(\S+)(?: \(.*\))?$/.exec(text) ?? [];
      if (only === '' || isOwnText(only)) return hitsIn(text);
      return [...(only.includes('://') ? addressHits(only) : loginHits(only)), ...hitsIn(text)];
    }
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
      const parts = addressParts(text);
      const isWhole = parts === undefined || (parts.path !== '' && parts.scheme === '');
      return isWhole ? [{ kind: 'address', text }, ...hitsIn(text)] : addressHits(text);
    }
    case 'machine': {
      const [, host = ''] = /^(?:host )?(.*)$/s.exec(text) ?? [];
      return hosts(host);
    }
    case 'login':
      return loginHits(text);
    case 'address':
      return addressHits(text);
    case 'source':
      if (isOwnText(text) && !/[/\\]/.test(text)) return [];
      return text.includes('://') ? addressHits(text) : [{ kind: 'file', text }, ...hitsIn(text)];
    case 'author':
      return text === 'you' ? [] : [{ kind: 'user', text }];
    case 'user':
      return [...users(text), ...hitsIn(text)];
    case 'program':
      return isCommonProgram(text) ? [] : [{ kind: 'program', text }];
    case 'series': {
      const foreign = foreignPartOfSeries(text.replace(/^auto:/, ''));
      return foreign ? [{ kind: 'name', text: foreign.name, word: foreign.kind }] : [];
    }
    case 'label':
      return isOwnText(text) ? [] : [{ kind: 'name', text, word: 'label' }];
    case 'rule':
      return isOwnText(text) ? [] : [{ kind: 'name', text, word: 'rule' }];
    case 'name':
    case 'note':
    case 'secret':
    case 'file':
      return [{ kind: rule, text }, ...hitsIn(text)];
  }
}

function programsIn(text: string): Hit[] {
  return [...text.matchAll(namedProgram)]
    .filter(([name]) => !isCommonProgram(name))
    .map(([name]) => ({ kind: 'program', text: name }));
}
