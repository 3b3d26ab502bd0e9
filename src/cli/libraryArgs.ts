import { comparisonKinds, type ComparisonKind } from '../contract/libraryCalls';
import { minCompared, maxCompared } from '../domain/compare/comparison';
import type { Alignment } from '../domain/compare/curves';
import { tagOf } from '../domain/run/tags';
import { noteFault } from '../domain/text/humanText';
import { UsageError } from './usageError';

export type CompareCommand = {
  readonly command: 'compare';
  readonly runs: readonly string[];
  readonly kind: ComparisonKind;
  readonly alignment: Alignment;
  /** Undefined: standard output. */
  readonly out: string | undefined;
};
export type TagCommand = {
  readonly command: 'tag';
  readonly run: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Undefined: the note stays unchanged. */
  readonly note: string | undefined;
};
export type BaselineCommand = {
  readonly command: 'baseline';
  readonly run: string;
  readonly isBaseline: boolean;
};

export const libraryOptions = {
  align: { type: 'string' },
  table: { type: 'string' },
  remove: { type: 'string', multiple: true },
  note: { type: 'string' },
  unset: { type: 'boolean' },
} as const;

interface Values {
  readonly align?: string;
  readonly table?: string;
  readonly out?: string;
  readonly remove?: readonly string[];
  readonly note?: string;
  readonly unset?: boolean;
}

/** Throws a `UsageError`, like the others. */
export function readCompare(runs: readonly string[], { align, table, out }: Values): CompareCommand {
  if (runs.length < minCompared || runs.length > maxCompared)
    throw new UsageError(`Name ${minCompared} to ${maxCompared} runs, not ${runs.length}: fullhouse compare RUN RUN`);
  if (align !== undefined && align !== 'viewers' && align !== 'time')
    throw new UsageError(`--align must be viewers or time, not "${align}".`);
  return { command: 'compare', runs, kind: kindOf(table, out), alignment: align ?? 'viewers', out };
}

function kindOf(table: string | undefined, out: string | undefined): ComparisonKind {
  if (table !== undefined && table !== 'srs') throw new UsageError(`--table must be srs, not "${table}".`);
  if (table === 'srs') return 'srs';
  if (out === undefined) return 'md';
  const kind = comparisonKinds.find((each) => out.toLowerCase().endsWith(`.${each}`));
  if (!kind || kind === 'srs')
    throw new UsageError('--out FILE must end in .md, .csv or .html, which selects the format.');
  return kind;
}

export function readTag(run: string | undefined, tags: readonly string[], values: Values): TagCommand {
  if (run === undefined) throw new UsageError('Specify a run: fullhouse tag RUN TAG...');
  const remove = values.remove ?? [];
  if (tags.length === 0 && remove.length === 0 && values.note === undefined)
    throw new UsageError('Specify a change: fullhouse tag RUN TAG..., --remove TAG or --note TEXT.');
  const fault = values.note === undefined ? undefined : noteFault(values.note);
  if (fault !== undefined) throw new UsageError(`--note: ${fault}`);
  return { command: 'tag', run, add: tags.map(cleanTag), remove: remove.map(cleanTag), note: values.note };
}

function cleanTag(text: string): string {
  const tag = tagOf(text);
  if (tag === undefined) throw new UsageError(`"${text}" is not a tag; tags consist of letters and digits.`);
  return tag;
}

export function readBaseline(run: string, { unset = false }: Values): BaselineCommand {
  return { command: 'baseline', run, isBaseline: !unset };
}
