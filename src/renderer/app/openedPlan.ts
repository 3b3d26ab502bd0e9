/** A plan that the Pull dialog opens as text. */
export interface OpenedPlan {
  readonly yaml: string;
  /** Of a run that another console recorded: everything it contacts is listed, also if nothing of it is new. */
  readonly isForeign?: boolean;
}
