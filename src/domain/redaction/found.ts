/** Kinds of what in a run could tell who the customer is. */
export const identifyingKinds = [
  'secret',
  'address',
  'stream',
  'node',
  'user',
  'file',
  'name',
  'note',
  'still',
] as const;
export type IdentifyingKind = (typeof identifyingKinds)[number];

/** Kinds that a person may keep in a copy; keys and tokens never stay. */
export const keepableKinds = [
  'address',
  'stream',
  'node',
  'user',
  'file',
  'name',
  'note',
  'still',
] as const satisfies readonly IdentifyingKind[];
export type KeepableKind = (typeof keepableKinds)[number];

/** Parts of a run file, as they are called in the preview. */
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

/** A part of the run as the plain value that its file holds. */
export interface PartOfRun {
  readonly part: RunPart;
  /** Anything that JSON can say. */
  readonly value: unknown;
  /** Keys that lead to it in the file; by default the part's name. */
  readonly path?: readonly string[];
}

/** One value that was found. */
export interface IdentifyingValue {
  readonly kind: IdentifyingKind;
  /** As it stands in the run; for a key or token only its first letters, since nobody needs the rest. */
  readonly value: string;
  /** What stands in its place in the copy, e.g. `host-1`. */
  readonly becomes: string;
  /** How often it occurs. */
  readonly count: number;
  /** In the order of `runParts`. */
  readonly parts: readonly RunPart[];
}

export interface KeptValue {
  readonly kind: KeepableKind;
  readonly value: string;
}

/** What stays in the copy as it is; everything else that was found is replaced. */
export interface RedactionChoice {
  /** Whole kinds. */
  readonly keepKinds: readonly KeepableKind[];
  /** Single values besides. */
  readonly keep: readonly KeptValue[];
}

/** Nothing that was found stays. */
export const keepNothing: RedactionChoice = { keepKinds: [], keep: [] };

/** A value with all the ways in which it is written, and its pseudonym. */
export interface FoundValue {
  readonly kind: IdentifyingKind;
  /** The first way in which it was met. */
  readonly value: string;
  readonly writings: ReadonlySet<string>;
  readonly becomes: string;
}

/** What stands where a note stood. */
export const noteRemoved = '(note removed)';

/** How a still is called among the values. */
export const stillValue = (id: number): string => `still ${id}`;
