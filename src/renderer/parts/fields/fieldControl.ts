import type { FieldOf } from '../../../domain/plan/fields/fields';
import type { Bounds } from '../../../domain/plan/fields/kind';

/** How a field is edited: a box that is checked or not, one of a list, a number with its unit, or a text. */
export type ControlKind = 'check' | 'choice' | 'amount' | 'text';

/** The control of a field by its kind; a choice of two is a check box, whose label names the second one. */
export function controlKind({ kind: { bounds } }: Pick<FieldOf<unknown>, 'kind'>): ControlKind {
  if (bounds?.is === 'flag') return 'check';
  if (bounds?.is === 'choice') return bounds.of.length === 2 ? 'check' : 'choice';
  return bounds?.is === 'number' ? 'amount' : 'text';
}

/** The texts of a choice; none of other kinds. */
export const choicesOf = (bounds: Bounds | undefined): readonly string[] => (bounds?.is === 'choice' ? bounds.of : []);

/** The value of a check box: a flag, or one of two. */
export function checkedValue(bounds: Bounds | undefined, isOn: boolean): boolean | string | undefined {
  return bounds?.is === 'choice' ? bounds.of[isOn ? 1 : 0] : isOn;
}

/** Typed with the number. */
const typedUnits: ReadonlySet<string> = new Set(['ms', 'kbit/s']);

/** The unit after a field. */
export function unitOf({ kind: { bounds }, unit }: Pick<FieldOf<unknown>, 'kind' | 'unit'>): string {
  const ofKind = bounds?.is === 'number' ? (bounds.unit ?? '') : '';
  return unit ?? (typedUnits.has(ofKind) ? '' : ofKind);
}
