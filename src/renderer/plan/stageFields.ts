import type { PlanStage } from '../../domain/plan/plan';
import { formatDuration } from '../../domain/timeFormat';
import { readDuration } from '../dialogs/durations';
import { chosen, typedNumber } from '../format/numbers';

/** A stage as it is typed: what kind it is, and a text for each of its fields. */
export interface StageRow {
  /** Keeps a row's fields together while rows move. */
  readonly key: number;
  readonly kind: PlanStage['kind'];
  readonly values: Readonly<Record<string, string>>;
}

type Amount = 'viewers' | 'duration' | 'rate' | 'percent';

export interface StageField {
  /** The field of the stage in the plan's own value. */
  readonly name: string;
  /** Stands before the field. */
  readonly word: string;
  readonly amount: Amount;
  readonly usual: string;
}

const to: StageField = { name: 'viewers', word: 'to', amount: 'viewers', usual: '500' };
const forLong: StageField = { name: 'forMs', word: 'for', amount: 'duration', usual: '1 min' };
const at: StageField = { name: 'ratePerSecond', word: 'at', amount: 'rate', usual: '50' };

/** What is asked for each kind of stage, in the order of a sentence. */
export const stageFields: Readonly<Record<PlanStage['kind'], readonly StageField[]>> = {
  ramp: [to, { name: 'overMs', word: 'in', amount: 'duration', usual: '30 s' }],
  hold: [forLong],
  step: [
    to,
    { name: 'by', word: 'by', amount: 'viewers', usual: '100' },
    { name: 'holdMs', word: 'each', amount: 'duration', usual: '30 s' },
    at,
  ],
  spike: [
    { ...to, usual: '800' },
    { ...forLong, usual: '20 s' },
    { ...at, usual: '200' },
  ],
  soak: [{ ...forLong, usual: '1 h' }],
  churn: [
    { name: 'replacePercent', word: '', amount: 'percent', usual: '10' },
    { name: 'everyMs', word: 'every', amount: 'duration', usual: '3 s' },
    { ...forLong, usual: '5 min' },
    at,
  ],
};

export const stageKinds = Object.keys(stageFields) as readonly PlanStage['kind'][];

/** What a stage of the kind does, for its menu. */
export const stageAbout: Readonly<Record<PlanStage['kind'], string>> = {
  ramp: 'an even line, up or down',
  hold: 'nobody comes or goes',
  step: 'by so many at a time, each level held',
  spike: 'at once up, and back',
  soak: 'a long hold: what has grown?',
  churn: 'some are replaced, again and again',
};

export const units: Readonly<Record<Amount, string>> = {
  viewers: '',
  duration: '',
  rate: '/s',
  percent: '%',
};

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export function newStage(kind: PlanStage['kind']): StageRow {
  const values = Object.fromEntries(stageFields[kind].map(({ name, usual }) => [name, usual]));
  return { key: nextKey(), kind, values };
}

/** The row that shows a plan's stage. */
export function stageRow(stage: PlanStage): StageRow {
  const all: Readonly<Record<string, string | number>> = { ...stage };
  const values = Object.fromEntries(
    stageFields[stage.kind].map(({ name, amount }) => {
      const value = Number(all[name]);
      return [name, amount === 'duration' ? formatDuration(value) : chosen(value)];
    }),
  );
  return { key: nextKey(), kind: stage.kind, values };
}

/** The same row as another kind; what both have stays as it was typed. */
export function asKind(row: StageRow, kind: PlanStage['kind']): StageRow {
  const fresh = newStage(kind);
  const kept = Object.fromEntries(Object.entries(row.values).filter(([name]) => name in fresh.values));
  return { ...fresh, key: row.key, values: { ...fresh.values, ...kept } };
}

/** The stage that a row describes; else the field that can't be used and one sentence. */
export function readStage(
  row: StageRow,
): { readonly stage: PlanStage } | { readonly field: string; readonly sentence: string } {
  const values: Record<string, number> = {};
  for (const { name, amount } of stageFields[row.kind]) {
    const value = readAmount(amount, row.values[name] ?? '');
    if (value === undefined) return { field: name, sentence: wrong[amount] };
    values[name] = value;
  }
  const { viewers = 0, overMs = 0, forMs = 0, by = 1, holdMs = 0, ratePerSecond = 1 } = values;
  const { replacePercent = 0, everyMs = 0 } = values;
  switch (row.kind) {
    case 'ramp':
      return { stage: { kind: 'ramp', viewers, overMs } };
    case 'hold':
    case 'soak':
      return { stage: { kind: row.kind, forMs } };
    case 'step':
      return { stage: { kind: 'step', viewers, by, holdMs, ratePerSecond } };
    case 'spike':
      return { stage: { kind: 'spike', viewers, forMs, ratePerSecond } };
    case 'churn':
      return { stage: { kind: 'churn', replacePercent, everyMs, forMs, ratePerSecond } };
  }
}

const wrong: Readonly<Record<Amount, string>> = {
  viewers: 'Viewers is a whole number.',
  duration: 'A time needs a unit: 30 s, 2 min or 1 h.',
  rate: 'The rate is a number of arrivals per second above 0.',
  percent: 'A share is a number above 0, and at most 100.',
};

/** In the plan's units; undefined when the text is no such amount. */
export function readAmount(amount: Amount, text: string): number | undefined {
  if (amount === 'duration') return readDuration(text) || undefined;
  const value = typedNumber(text);
  if (value === undefined) return undefined;
  if (amount === 'viewers') return Number.isInteger(value) ? value : undefined;
  if (amount === 'percent') return value > 0 && value <= 100 ? value : undefined;
  return value > 0 ? value : undefined;
}
