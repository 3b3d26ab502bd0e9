import {
  identifyingKinds,
  type IdentifyingKind,
  type IdentifyingValue,
  type KeepableKind,
  type RedactionChoice,
  type RunPart,
} from '../../../domain/redaction/identifyingValues';
import { counted } from '../../ui/format/numbers';

/** Values kept in the copy, by kind and value; all others are removed. */
export type KeptValues = ReadonlySet<string>;

export const kindTexts: Readonly<
  Record<IdentifyingKind, { readonly title: string; readonly about: string; readonly one: string }>
> = {
  secret: { title: 'Keys, tokens, personal numbers', about: 'always removed', one: 'key' },
  address: { title: 'Addresses and hosts', about: 'ports are kept', one: 'address' },
  stream: { title: 'Streams', about: 'a name may be a stream key', one: 'stream' },
  node: { title: 'Nodes', about: 'names in the plan', one: 'node' },
  user: { title: 'Users', about: 'logins and authors of notes', one: 'user' },
  file: { title: 'Files', about: 'keys, logs, folders', one: 'file' },
  name: { title: 'Names and tags', about: 'of the run and its plan', one: 'name' },
  program: { title: 'Other programs', about: 'on the machines of the run', one: 'program' },
  text: { title: 'Texts of others', about: 'answers, errors, logs, paths of addresses', one: 'text' },
  note: { title: 'Notes', about: 'text of notes', one: 'note' },
  still: { title: 'Stills and clips', about: 'frames and video of the player', one: 'still' },
};

const partTexts: Readonly<Record<RunPart, string>> = {
  plan: 'plan',
  nodes: 'nodes',
  events: 'events',
  failures: 'failures',
  verdict: 'verdict',
  viewers: 'viewers',
  preflight: 'preflight',
  limit: 'limit',
  stills: 'stills',
  rest: 'list of runs',
};

export interface KindGroup {
  readonly kind: IdentifyingKind;
  readonly values: readonly IdentifyingValue[];
}

/** The values by kind, in the order in which they are shown; empty kinds are omitted. */
export function groupsOf(values: readonly IdentifyingValue[]): readonly KindGroup[] {
  return identifyingKinds
    .map((kind) => ({ kind, values: values.filter((value) => value.kind === kind) }))
    .filter((group) => group.values.length > 0);
}

export const keyOf = ({ kind, value }: Pick<IdentifyingValue, 'kind' | 'value'>): string => `${kind}\n${value}`;

/** Whether all, some or none of a kind is removed. */
export function stateOf({ values }: KindGroup, kept: KeptValues): 'all' | 'some' | 'none' {
  const stays = values.filter((value) => kept.has(keyOf(value))).length;
  return stays === 0 ? 'all' : stays === values.length ? 'none' : 'some';
}

export function withKind(kept: KeptValues, { values }: KindGroup, goes: boolean): KeptValues {
  const next = new Set(kept);
  for (const value of values)
    if (goes) next.delete(keyOf(value));
    else next.add(keyOf(value));
  return next;
}

export function withValue(kept: KeptValues, value: IdentifyingValue, goes: boolean): KeptValues {
  return withKind(kept, { kind: value.kind, values: [value] }, goes);
}

function isKeepable(kind: IdentifyingKind): kind is KeepableKind {
  return kind !== 'secret';
}

/** The choice for the engine, value by value: values found later must not be kept implicitly. */
export function choiceOf(values: readonly IdentifyingValue[], kept: KeptValues): RedactionChoice {
  return {
    keepKinds: [],
    keep: values.flatMap(({ kind, value }) =>
      isKeepable(kind) && kept.has(keyOf({ kind, value })) ? [{ kind, value }] : [],
    ),
  };
}

export function locationText({ count, parts }: IdentifyingValue): string {
  return `${counted(count, 'place')}: ${parts.map((part) => partTexts[part]).join(', ')}`;
}

/** Identifiers remaining in the copy, one line each; may be empty. */
export function remainingText(groups: readonly KindGroup[], kept: KeptValues): string[] {
  return groups.flatMap(({ kind, values }) => {
    const stays = values.filter((value) => kept.has(keyOf(value)));
    const { one } = kindTexts[kind];
    return stays.length > 0 ? [counted(stays.length, one, one === 'address' ? 'addresses' : `${one}s`)] : [];
  });
}
