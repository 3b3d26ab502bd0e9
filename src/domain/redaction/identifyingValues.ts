import type { Shape } from './classification';

/** Kinds that the user may keep in a copy; keys and tokens are always removed. */
export const keepableKinds = [
  'address',
  'stream',
  'node',
  'user',
  'file',
  'name',
  'program',
  'text',
  'note',
  'still',
] as const;
export type KeepableKind = (typeof keepableKinds)[number];

/**
 * Kinds of values in a run that could identify the customer. A text that matches several (a node named like its host)
 * gets the first of these.
 */
export const identifyingKinds = ['secret', ...keepableKinds] as const;
export type IdentifyingKind = (typeof identifyingKinds)[number];

/** Parts of a run file, as named in the preview. */
export const runParts = [
  'plan',
  'nodes',
  'events',
  'failures',
  'verdict',
  'viewers',
  'preflight',
  'limit',
  'stills',
  'rest',
] as const;
export type RunPart = (typeof runParts)[number];

/** A part of the run as the plain value in its file. */
export interface PartOfRun {
  readonly part: RunPart;
  /** Any JSON value. */
  readonly value: unknown;
  readonly shape: Shape;
}

/** One identifying value. */
export interface IdentifyingValue {
  readonly kind: IdentifyingKind;
  /** As in the run; for a key or token only its first letters. */
  readonly value: string;
  /** Its replacement in the copy, e.g. `host-1`. */
  readonly becomes: string;
  /** How often it occurs. */
  readonly count: number;
  /** In the order of `runParts`. */
  readonly parts: readonly RunPart[];
}

export interface RetainedValue {
  readonly kind: KeepableKind;
  readonly value: string;
}

/** What stays unchanged in the copy; everything else that was found is replaced. */
export interface RedactionChoice {
  /** Entire kinds. */
  readonly keepKinds: readonly KeepableKind[];
  /** Additional single values. */
  readonly keep: readonly RetainedValue[];
}

/** Everything that was found is replaced. */
export const saveEmptyRun: RedactionChoice = { keepKinds: [], keep: [] };

/** A value with all its spellings, and its pseudonym. */
export interface FoundValue {
  readonly kind: IdentifyingKind;
  /** The first spelling found. */
  readonly value: string;
  readonly writings: ReadonlySet<string>;
  readonly becomes: string;
}

/** Replaces a note. */
export const noteRemoved = '(note removed)';

/** The name of a still among the values. */
export const stillValue = (id: number): string => `still ${id}`;
