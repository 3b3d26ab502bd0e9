/** A plan that the Pull dialog opens as text. */
export interface OpenedPlan {
  readonly yaml: string;
  /** Whether another console recorded its run: everything it contacts is listed, also if nothing of it is new. */
  readonly isForeign?: boolean;
}
