import type { PlanStage } from '../../../../domain/model/plan';
import type { FieldOf } from '../../../../domain/plan/fields/fields';
import { fieldsOfStage, stageOf, valuesOf } from '../../../../domain/plan/fields/stages';
import { amountText, readAmount, unitOf } from './amounts';

/** A stage as typed: its kind, and a text for each field. */
export interface StageRow {
  /** Stable key while rows move. */
  readonly key: number;
  readonly kind: PlanStage['kind'];
  readonly values: Readonly<Record<string, string>>;
}

/** The described fields of a kind of stage, by name. */
const fieldsOf = (kind: PlanStage['kind']): Array<[name: string, field: FieldOf<number>]> =>
  Object.entries(fieldsOfStage(kind));

/** The controls of a stage, in reading order. */
export const stageControls = (kind: PlanStage['kind']) =>
  fieldsOf(kind).map(
    ([
      name,
      {
        kind: { bounds },
        label = '',
        help,
      },
    ]) => ({ name, label, help, unit: unitOf(bounds) }),
  );

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export function newStage(kind: PlanStage['kind']): StageRow {
  const values = fieldsOf(kind).map(
    ([name, { kind, example = 0 }]) => [name, amountText(kind.bounds, example)] as const,
  );
  return { key: nextKey(), kind, values: Object.fromEntries(values) };
}

/** The row that shows a plan's stage. */
export function stageRow(stage: PlanStage): StageRow {
  const values = valuesOf(stage);
  const texts = fieldsOf(stage.kind).map(
    ([name, { kind }]) => [name, amountText(kind.bounds, values[name] ?? 0)] as const,
  );
  return { key: nextKey(), kind: stage.kind, values: Object.fromEntries(texts) };
}

/** The same row as another kind; common fields are kept. */
export function asKind(row: StageRow, kind: PlanStage['kind']): StageRow {
  const fresh = newStage(kind);
  const kept = Object.fromEntries(Object.entries(row.values).filter(([name]) => name in fresh.values));
  return { ...fresh, key: row.key, values: { ...fresh.values, ...kept } };
}

/** The stage that a row describes; else the invalid field and one sentence. */
export function readStage(
  row: StageRow,
): { readonly stage: PlanStage } | { readonly field: string; readonly sentence: string } {
  const values: Record<string, number> = {};
  for (const [name, { kind }] of fieldsOf(row.kind)) {
    const value = readAmount(kind.bounds, row.values[name] ?? '');
    if (typeof value === 'string') return { field: name, sentence: value };
    values[name] = value;
  }
  return { stage: stageOf(row.kind, values) };
}
