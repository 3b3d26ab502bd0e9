import type { PlanPull, PlanSearch } from '../../domain/plan/plan';
import { derivedOfSearch, derivedOfStages } from '../../domain/stages/derived';
import { searchFault, stageFault } from '../../domain/stages/faults';
import { formatDuration } from '../../domain/timeFormat';
import type { FieldProblem } from '../dialogs/pullForm';
import { chosen } from '../format/numbers';
import { newStage, readAmount, readStage, stageRow, type StageRow } from './stageFields';

/** `once`: everybody comes, stays and leaves; the dialog's own fields say how. */
export type CourseKind = 'once' | 'stages' | 'search';

/** What an audience does over time, as typed. */
export interface CourseForm {
  readonly kind: CourseKind;
  readonly stages: readonly StageRow[];
  readonly search: Readonly<Record<keyof PlanSearch, string>>;
}

/** Fields of a search: in an order that reads as a sentence. */
export const searchFields = [
  { name: 'fromViewers', word: 'From', amount: 'viewers', unit: 'viewers' },
  { name: 'mostViewers', word: 'to at most', amount: 'viewers', unit: 'viewers' },
  { name: 'settleMs', word: 'Settle for', amount: 'duration', unit: '' },
  { name: 'measureMs', word: 'Measure for', amount: 'duration', unit: '' },
  { name: 'repeats', word: 'Repeats', amount: 'viewers', unit: '' },
  { name: 'precisionPercent', word: 'Precision', amount: 'percent', unit: '%' },
] as const;

export const usualCourse: CourseForm = {
  kind: 'once',
  stages: [newStage('ramp'), newStage('hold')],
  search: {
    fromViewers: '20',
    mostViewers: '1,000',
    settleMs: '5 s',
    measureMs: '10 s',
    repeats: '3',
    precisionPercent: '3',
  },
};

/** The form of a plan's audience. */
export function courseFormOf({ stages, search }: Pick<PlanPull, 'stages' | 'search'>): CourseForm {
  if (stages) return { ...usualCourse, kind: 'stages', stages: stages.map(stageRow) };
  if (!search) return usualCourse;
  const text = (name: keyof PlanSearch): string =>
    name.endsWith('Ms') ? formatDuration(search[name]) : chosen(search[name]);
  const texts = Object.fromEntries(searchFields.map(({ name }) => [name, text(name)]));
  return { ...usualCourse, kind: 'search', search: { ...usualCourse.search, ...texts } };
}

type Course = Pick<PlanPull, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;

/** The course that the form describes, with the figures that follow from it; `ratePerSecond` is what a search arrives at. Not for `once`. */
export function readCourse(
  form: CourseForm,
  ratePerSecond: number,
): { readonly course: Course } | { readonly problem: FieldProblem } {
  return form.kind === 'search' ? readSearch(form.search, ratePerSecond) : readStages(form.stages);
}

function readStages(rows: readonly StageRow[]): ReturnType<typeof readCourse> {
  if (rows.length === 0)
    return { problem: { path: 'pull.stages', sentence: 'Add a stage: nobody comes yet.' } };
  const stages = [];
  for (const [place, row] of rows.entries()) {
    const read = readStage(row);
    if ('sentence' in read) return { problem: { path: `pull.stages.${place}`, sentence: read.sentence } };
    stages.push(read.stage);
  }
  const fault = stageFault(stages);
  if (fault) return { problem: { path: `pull.stages.${fault.stage ?? 0}`, sentence: fault.sentence } };
  const derived = derivedOfStages(stages);
  if (derived.viewers === 0)
    return { problem: { path: 'pull.stages.0', sentence: 'Nobody ever comes. Begin with a ramp.' } };
  return { course: { ...derived, stages } };
}

function readSearch(texts: CourseForm['search'], ratePerSecond: number): ReturnType<typeof readCourse> {
  const values: Record<string, number> = {};
  for (const { name, word, amount } of searchFields) {
    const value = readAmount(amount, texts[name]);
    if (value === undefined || value === 0)
      return {
        problem: { path: `pull.search.${name}`, sentence: `"${word}" can't be read: ${examples[amount]}.` },
      };
    values[name] = value;
  }
  const {
    fromViewers = 1,
    mostViewers = 1,
    settleMs = 1,
    measureMs = 1,
    repeats = 1,
    precisionPercent = 1,
  } = values;
  if (repeats > 20)
    return {
      problem: {
        path: 'pull.search.repeats',
        sentence: 'More than 20 repeats tell nothing more.',
        mend: '5',
      },
    };
  if (precisionPercent > 50)
    return {
      problem: {
        path: 'pull.search.precisionPercent',
        sentence: 'A precision of more than 50 % is none.',
        mend: '5',
      },
    };
  const search: PlanSearch = { fromViewers, mostViewers, settleMs, measureMs, repeats, precisionPercent };
  const fault = searchFault(search);
  if (fault) return { problem: { path: 'pull.search.mostViewers', sentence: fault.sentence } };
  return { course: { ...derivedOfSearch(search, ratePerSecond), search } };
}

const examples = {
  viewers: 'a whole number, e.g. 20',
  duration: 'a time with its unit, e.g. 5 s',
  percent: 'a share, e.g. 3',
};
