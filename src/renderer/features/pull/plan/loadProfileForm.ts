import type { PlanPull, PlanSearch } from '../../../../domain/model/plan';
import { derivedOfSearch, derivedOfStages } from '../../../../domain/stages/derived';
import type { FieldOf } from '../../../../domain/plan/fields/fields';
import { searchFields, searchOf } from '../../../../domain/plan/fields/search';
import { searchFault, stageFault } from '../../../../domain/plan/stageFaults';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { amountText, readAmount, unitOf } from './amounts';
import { newStage, readStage, stageRow, type StageRow } from './stageFields';

/** `once`: ramp, hold and teardown, from the dialog's own fields. */
export type LoadProfileKind = 'once' | 'stages' | 'search';

/** Load profile as typed. */
export interface LoadProfileForm {
  readonly kind: LoadProfileKind;
  readonly stages: readonly StageRow[];
  readonly search: Readonly<Record<keyof PlanSearch, string>>;
}

/** The described fields of a search, in reading order. */
const fields = Object.entries(searchFields) as Array<[keyof PlanSearch, FieldOf<number>]>;

/** The controls of a search, in reading order. */
export const searchControls = fields.map(
  ([
    name,
    {
      kind: { bounds },
      label = '',
      help,
    },
  ]) => ({
    name,
    label,
    help,
    unit: unitOf(bounds) || (label.length > 0 && name.endsWith('Viewers') ? 'viewers' : ''),
  }),
);

/** A search as typed. */
const searchTexts = (search: PlanSearch): LoadProfileForm['search'] =>
  Object.fromEntries(
    fields.map(([name, { kind }]) => [name, amountText(kind.bounds, search[name])]),
  ) as LoadProfileForm['search'];

export const defaultLoadProfile: LoadProfileForm = {
  kind: 'once',
  stages: [newStage('ramp'), newStage('hold')],
  search: searchTexts(searchOf({ fromViewers: 20, mostViewers: 1000 })),
};

/** The form of a plan's load profile. */
export function loadProfileFormOf({ stages, search }: Pick<PlanPull, 'stages' | 'search'>): LoadProfileForm {
  if (stages) return { ...defaultLoadProfile, kind: 'stages', stages: stages.map(stageRow) };
  if (!search) return defaultLoadProfile;
  return { ...defaultLoadProfile, kind: 'search', search: searchTexts(search) };
}

type Course = Pick<PlanPull, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;

/** The profile in the form, with derived figures; `ratePerSecond` is the rate of a search. Not for `once`. */
export function readLoadProfile(
  form: LoadProfileForm,
  ratePerSecond: number,
): { readonly loadProfile: Course } | { readonly problem: FieldProblem } {
  return form.kind === 'search' ? readSearch(form.search, ratePerSecond) : readStages(form.stages);
}

function readStages(rows: readonly StageRow[]): ReturnType<typeof readLoadProfile> {
  if (rows.length === 0) return { problem: { path: 'pull.stages', sentence: 'The profile is empty. Add a stage.' } };
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
    return { problem: { path: 'pull.stages.0', sentence: 'The profile never adds viewers. Start with a ramp.' } };
  return { loadProfile: { ...derived, stages } };
}

function readSearch(texts: LoadProfileForm['search'], ratePerSecond: number): ReturnType<typeof readLoadProfile> {
  const values: Partial<Record<keyof PlanSearch, number>> = {};
  for (const [name, { kind, label, default: usual }] of fields) {
    const value = readAmount(kind.bounds, texts[name]);
    if (typeof value === 'string') {
      const fix = usual === undefined ? undefined : amountText(kind.bounds, usual);
      return { problem: { path: `pull.search.${name}`, sentence: `"${label}": ${value}`, fix } };
    }
    values[name] = value;
  }
  const search = values as PlanSearch;
  const fault = searchFault(search);
  if (fault) return { problem: { path: 'pull.search.mostViewers', sentence: fault.sentence } };
  return { loadProfile: { ...derivedOfSearch(search, ratePerSecond), search } };
}
