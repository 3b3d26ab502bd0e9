/** An invalid field, with a value that would fix it. */
export interface FieldProblem {
  /** Path in the plan, e.g. `pull.viewers`. */
  readonly path: string;
  readonly sentence: string;
  readonly fix?: string;
}
