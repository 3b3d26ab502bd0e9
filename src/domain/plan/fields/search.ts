import type { PlanSearch } from '../../model/audienceValues';
import { searchFault } from '../stageFaults';
import { defaultsOf, examplesOf, jsonOf, mapKind, mapOf, readFields, type FieldsOf } from './fields';
import { duration, percent, viewers, wholeNumber, type Kind } from './kind';

const maxRepeats = 20;

/** The limit search of an audience. */
export const searchFields: FieldsOf<PlanSearch> = {
  fromViewers: {
    key: 'from',
    kind: viewers,
    label: 'From',
    unit: 'viewers',
    help: 'Size of the first audience tried',
    example: 20,
  },
  maxViewers: {
    key: 'max',
    oldKeys: ['most'],
    kind: viewers,
    label: 'up to',
    unit: 'viewers',
    help: 'Largest audience tried',
    example: 1000,
  },
  settleMs: {
    key: 'settle',
    kind: duration(),
    label: 'Settle for',
    help: 'Time after each change of size that is not measured',
    default: 5000,
  },
  measureMs: {
    key: 'measure',
    kind: duration(),
    label: 'Measure for',
    help: 'How long each size is measured',
    default: 10_000,
  },
  repeats: {
    key: 'repeats',
    kind: wholeNumber({ min: 1, max: maxRepeats, tooMany: () => `A search repeats at most ${maxRepeats} times.` }),
    label: 'Repeats',
    help: 'How often the limit is measured',
    default: 3,
  },
  precisionPercent: {
    key: 'precision',
    kind: percent({ max: 50 }),
    label: 'Precision',
    help: 'The search ends when the largest passing and the smallest failing size are this close',
    default: 3,
  },
};

/** The limit search of publishers alone. */
const publisherSearchFields: FieldsOf<PlanSearch> = {
  ...searchFields,
  fromViewers: { ...searchFields.fromViewers, unit: 'publishers', help: 'Number of publishers tried first' },
  maxViewers: { ...searchFields.maxViewers, unit: 'publishers', help: 'Most publishers tried' },
};

/** A search of these sizes, with the default values. */
export const searchOf = (sizes: Pick<PlanSearch, 'fromViewers' | 'maxViewers'>): PlanSearch =>
  ({ ...defaultsOf(searchFields), ...sizes }) as PlanSearch;

const map = mapKind(searchFields);
const write = `Write it like ${map.write(examplesOf(searchFields))}.`;

const kindOf = (clients: 'viewers' | 'publishers'): Kind<PlanSearch> => ({
  ...map,
  read: (field) => {
    const given = mapOf(field, searchFields);
    const search = readFields(field, given, searchFields, write);
    const fault = searchFault(search, clients);
    if (fault) given.get(fault.field)?.fail(fault.sentence);
    return search;
  },
});

export const searchKind = kindOf('viewers');
export const publisherSearchKind: Kind<PlanSearch> = {
  ...kindOf('publishers'),
  json: jsonOf(publisherSearchFields),
};
