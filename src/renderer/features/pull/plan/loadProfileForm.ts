import type { PlanSearch } from '../../../../domain/model/audienceValues';
import type { Audience } from '../../../../domain/model/plan';
import { derivedOfSearch } from '../../../../domain/model/searchBound';
import { derivedOfStages } from '../../../../domain/stages/derived';
import { examplesOf } from '../../../../domain/plan/fields/fields';
import { searchFields } from '../../../../domain/plan/fields/search';
import { searchFault, stageFault } from '../../../../domain/plan/stageFaults';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { amountText, amountTexts, readAmounts } from './amounts';
import { newStage, readStage, stageRow, type StageRow } from './stageFields';

/** `once`: ramp, hold and teardown, from the dialog's own fields. */
export type LoadProfileKind = 'once' | 'stages' | 'search';

/** Load profile as typed. */
export interface LoadProfileForm {
  readonly kind: LoadProfileKind;
  readonly stages: readonly StageRow[];
  readonly search: Readonly<Record<keyof PlanSearch, string>>;
}

export const defaultLoadProfile: LoadProfileForm = {
  kind: 'once',
  stages: [newStage('ramp'), newStage('hold')],
  search: amountTexts(searchFields, examplesOf(searchFields)),
};

/** The form of a plan's load profile. */
export function loadProfileFormOf({ stages, search }: Pick<Audience, 'stages' | 'search'>): LoadProfileForm {
  if (stages) return { ...defaultLoadProfile, kind: 'stages', stages: stages.map(stageRow) };
  if (!search) return defaultLoadProfile;
  return { ...defaultLoadProfile, kind: 'search', search: amountTexts(searchFields, search) };
}

type LoadProfile = Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;

/** The profile in the form, with derived figures; `ratePerSecond` is the rate of a search. Not for `once`. */
export function readLoadProfile(
  form: LoadProfileForm,
  ratePerSecond: number,
): { readonly loadProfile: LoadProfile } | { readonly problem: FieldProblem } {
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
  const read = readAmounts(searchFields, texts);
  if (!('values' in read)) {
    const { kind, label, default: usual } = searchFields[read.name];
    const fix = usual === undefined ? undefined : amountText(kind.bounds, usual);
    return { problem: { path: `pull.search.${read.name}`, sentence: `"${label}": ${read.sentence}`, fix } };
  }
  const search = read.values;
  const fault = searchFault(search);
  if (fault) return { problem: { path: 'pull.search.maxViewers', sentence: fault.sentence } };
  return { loadProfile: { ...derivedOfSearch(search, ratePerSecond), search } };
}
