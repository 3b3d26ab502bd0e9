import type { PlanSearch, PlanStage } from '../plan/plan';
import type { PlanField } from '../plan/planField';
import { readPercent, readRate, readTime } from '../plan/planQuantities';
import { searchFault, stageFault } from './faults';

/** Reads `stages` and `search` of a pull. Throws a `PlanError` at the first that is wrong or impossible. */

const mostStages = 100;

/** The fields of each kind of stage; the kind's own name is the first. */
const stageFields: Readonly<Record<PlanStage['kind'], readonly string[]>> = {
  ramp: ['ramp', 'over'],
  hold: ['hold'],
  step: ['step', 'by', 'hold', 'rate'],
  spike: ['spike', 'for', 'rate'],
  soak: ['soak'],
  churn: ['churn', 'every', 'for', 'rate'],
};
/** A step has a `hold` of its own, so a hold is what nothing else is. */
const kinds = [
  'ramp',
  'step',
  'spike',
  'soak',
  'churn',
  'hold',
] as const satisfies readonly PlanStage['kind'][];

const examples: Readonly<Record<PlanStage['kind'], string>> = {
  ramp: '{ ramp: 500, over: 30s }',
  hold: '{ hold: 2m }',
  step: '{ step: 2500, by: 500, hold: 60s, rate: 100/s }',
  spike: '{ spike: 800, for: 20s, rate: 200/s }',
  soak: '{ soak: 1h }',
  churn: '{ churn: 10%, every: 3s, for: 5m, rate: 50/s }',
};

export function readStages(field: PlanField): readonly PlanStage[] {
  const write = `Write it like [${examples.ramp}, ${examples.hold}].`;
  const items = field.list(write, mostStages);
  if (items.length === 0) field.fail(`There is no stage. ${write}`);
  const stages = items.map(readStage);
  const fault = stageFault(stages);
  if (fault?.stage !== undefined) {
    const item = items[fault.stage];
    (item?.map().get(fault.field) ?? item ?? field).fail(fault.sentence);
  }
  return stages;
}

function readStage(item: PlanField): PlanStage {
  const all = item.map();
  const kind = kinds.find((each) => all.has(each));
  if (kind === undefined) {
    // A misspelt key is told by its name.
    item.map([...new Set(Object.values(stageFields).flat())]);
    return item.fail(`A stage is one of ${kinds.join(', ')}, e.g. ${examples.ramp}.`);
  }
  const write = `Write it like ${examples[kind]}.`;
  const other = kinds.find((each) => each !== kind && all.has(each) && !stageFields[kind].includes(each));
  if (other !== undefined) item.fail(`A stage is either a ${kind} or a ${other}. Make two of them.`);
  const fields = item.map(stageFields[kind]);
  const need = (key: string): PlanField => item.required(fields, key, write);
  const time = (key: string): number => readTime(need(key), write, 'That is no time at all.');
  const rate = (): number => readRate(need('rate'));
  switch (kind) {
    case 'ramp':
      return {
        kind,
        viewers: need('ramp').count(write),
        overMs: readTime(need('over'), write, 'Nobody comes or goes in no time.'),
      };
    case 'hold':
      return { kind, forMs: time('hold') };
    case 'soak':
      return { kind, forMs: time('soak') };
    case 'step':
      return {
        kind,
        viewers: need('step').count(write),
        by: need('by').wholeNumber(write),
        holdMs: time('hold'),
        ratePerSecond: rate(),
      };
    case 'spike':
      return { kind, viewers: need('spike').wholeNumber(write), forMs: time('for'), ratePerSecond: rate() };
    case 'churn':
      return {
        kind,
        replacePercent: readPercent(need('churn'), write, { above: 0, most: 100 }),
        everyMs: time('every'),
        forMs: time('for'),
        ratePerSecond: rate(),
      };
  }
}

/** What a search does where a plan says nothing of it. */
export const usualSearch: Omit<PlanSearch, 'fromViewers' | 'mostViewers'> = {
  settleMs: 5000,
  measureMs: 10_000,
  repeats: 3,
  precisionPercent: 3,
};
const mostRepeats = 20;

export function readSearch(field: PlanField): PlanSearch {
  const write =
    'Write it like { from: 20, most: 1000, settle: 5s, measure: 10s, repeats: 3, precision: 3% }.';
  const fields = field.map(['from', 'most', 'settle', 'measure', 'repeats', 'precision']);
  const time = (key: string): number | undefined => {
    const each = fields.get(key);
    return each && readTime(each, write, 'Nothing can be seen in no time.');
  };
  const repeats = fields.get('repeats');
  const precision = fields.get('precision');
  const search: PlanSearch = {
    fromViewers: field.required(fields, 'from', write).wholeNumber(write),
    mostViewers: field.required(fields, 'most', write).wholeNumber(write),
    settleMs: time('settle') ?? usualSearch.settleMs,
    measureMs: time('measure') ?? usualSearch.measureMs,
    repeats: repeats?.wholeNumber(write) ?? usualSearch.repeats,
    precisionPercent: precision
      ? readPercent(precision, write, { above: 0, most: 50 })
      : usualSearch.precisionPercent,
  };
  if (search.repeats > mostRepeats) repeats?.fail(`A search repeats itself at most ${mostRepeats} times.`);
  const fault = searchFault(search);
  if (fault) fields.get(fault.field)?.fail(fault.sentence);
  return search;
}
