import type { PlanStage } from '../../../../domain/model/audienceValues';
import { examplesOf } from '../../../../domain/plan/fields/fields';
import { fieldsOfStage, stageOf, valuesOf } from '../../../../domain/plan/fields/stages';
import { amountTexts, controlsOf, readAmounts } from './amounts';

/** A stage as typed: its kind, and a text for each field. */
export interface StageRow {
  /** Stable key while rows move. */
  readonly key: number;
  readonly kind: PlanStage['kind'];
  readonly values: Readonly<Record<string, string>>;
}

/** The controls of a stage, in reading order. */
export const stageControls = (kind: PlanStage['kind']) => controlsOf(fieldsOfStage(kind));

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export function newStage(kind: PlanStage['kind']): StageRow {
  const fields = fieldsOfStage(kind);
  return { key: nextKey(), kind, values: amountTexts(fields, examplesOf(fields)) };
}

/** The row that shows a plan's stage. */
export const stageRow = (stage: PlanStage): StageRow => ({
  key: nextKey(),
  kind: stage.kind,
  values: amountTexts(fieldsOfStage(stage.kind), valuesOf(stage)),
});

/** The same row as another kind; common fields are kept. */
export function asKind(row: StageRow, kind: PlanStage['kind']): StageRow {
  const fresh = newStage(kind);
  const values = Object.fromEntries(Object.entries(row.values).filter(([name]) => name in fresh.values));
  return { ...fresh, key: row.key, values: { ...fresh.values, ...values } };
}

/** The stage that a row describes; else the invalid field and one sentence. */
export function readStage({
  kind,
  values,
}: StageRow): { readonly stage: PlanStage } | { readonly name: string; readonly sentence: string } {
  const read = readAmounts(fieldsOfStage(kind), values);
  return 'values' in read ? { stage: stageOf(kind, read.values) } : read;
}
