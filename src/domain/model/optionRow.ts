import type { ConsentKind } from './consentKind';
import type { FieldRule } from './fieldRule';
import type { PullProtocol } from './protocols';

/** What the value of an option is; its type is inferred from it. */
export type OptionValue<T = unknown> = (
  | { readonly is: 'flag' }
  /** The first one is what absence means. */
  | { readonly is: 'choice'; readonly of: readonly string[]; readonly renamed?: Readonly<Record<string, string>> }
  /** `tooMany` continues "50 ", as in "50 videos are too many for one viewer". */
  | { readonly is: 'count'; readonly min: number; readonly max: number; readonly tooMany: string }
  /** A name that a person gives, `what` as in "A label", of up to `max` characters. */
  | { readonly is: 'name'; readonly what: string; readonly max: number }
  /** The size of an element, as `640x360`. */
  | { readonly is: 'pixelSize' }
  /** Several values, described in `domain/plan/fields`. */
  | { readonly is: 'structure' }
) & { readonly type?: T };

export const flag: OptionValue<boolean> = { is: 'flag' };
export const pixelSize: OptionValue<string> = { is: 'pixelSize' };
export const choiceOf = <T extends string>(
  of: readonly T[],
  renamed: Readonly<Record<string, T>> = {},
): OptionValue<T> => ({ is: 'choice', of, renamed });
export const countOf = (max: number, tooMany: string, min = 1): OptionValue<number> => ({
  is: 'count',
  min,
  max,
  tooMany,
});
export const nameOf = (max: number, what: string): OptionValue<string> => ({ is: 'name', what, max });
export const structure = <T>(): OptionValue<T> => ({ is: 'structure' });

/** Everything that is specific to one option of an audience. */
export interface OptionRow {
  readonly value: OptionValue;
  /** Its name in tables: the configuration of a run, and comparisons. */
  readonly title: string;
  /** Label of its control in the list of further options of a form; absent if it has a form of its own or none. */
  readonly label?: string;
  /** One sentence for docs, editors and forms. */
  readonly help: string;
  /** What to write instead of a value that is not valid. */
  readonly write?: string;
  /** What its absence means, for the docs. */
  readonly absent: string;
  /** Deprecated names: still read, with a warning. */
  readonly oldKeys?: readonly string[];
  /** Protocols whose viewers know it; default all. */
  readonly protocols?: readonly PullProtocol[];
  /** Why viewers of another protocol can't have it; default a sentence with the names of its protocols. */
  readonly otherProtocol?: 'ignored' | ((protocol: PullProtocol) => string);
  /** Why a tester without an agent, a WCS, can't have it; absent if it can. */
  readonly withoutAgent?: (tester: string) => string;
  /** Two runs that differ in it put the same load on the origin. */
  readonly isSameLoad?: true;
  /** In the line that describes the load of a run; default name and value as in a plan. */
  readonly words?: (value: never) => string;
  /** Its value in tables; default as in a plan. */
  readonly text?: (value: never) => string;
  /** In a comparison with an audience that has it; default `off` for a flag, the first one of a choice, else `none`. */
  readonly absentText?: string;
  /** What it can do outside of the run itself. */
  readonly consent: readonly ConsentKind[];
  /** What an anonymized copy has of it; absent for a structure, each of whose fields has its own. */
  readonly redaction?: FieldRule;
  /** It is sent to agents as it is, with this description in their protocol. */
  readonly order?: OptionOrder;
  /** The calibration load of an estimate has it too. */
  readonly isCalibrated?: true;
}

export interface OptionOrder {
  readonly description?: string;
  /** The name of its type in Go, for a choice. */
  readonly goType?: { readonly id: string; readonly description: string };
}
