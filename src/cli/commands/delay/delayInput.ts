import type { PathExpectation } from '../../../domain/delay/expectation';
import type { NodeChoices, PlanChoices } from '../../options';

/** What was typed of `fullhouse delay`. */
export interface DelayInput extends NodeChoices, PlanChoices {
  /** Address, plan or the lab. */
  readonly subject: string;
  /** Kept tables to print or to compare; nothing is measured. */
  readonly tables: readonly string[];
  readonly user: string | undefined;
  readonly selfSigned: boolean;
  readonly measureMs: number;
  readonly repeats: number;
  /** Undefined: nothing is measured under load. */
  readonly viewers: number | undefined;
  /** Ids; empty: all of them. */
  readonly paths: readonly string[];
  readonly listsPaths: boolean;
  readonly expectations: readonly PathExpectation[];
  /** File of an earlier table. */
  readonly before: string | undefined;
  readonly out: string;
  readonly name: string | undefined;
  readonly json: boolean;
}
