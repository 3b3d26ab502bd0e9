import { describe, expect, it } from 'vitest';
import type { IdentifyingValue } from '../../../domain/redaction/identifyingValues';
import {
  choiceOf,
  groupsOf,
  remainingText,
  stateOf,
  locationText,
  withKind,
  withValue,
  type KeptValues,
} from './snapshotChoice';

const value = (kind: IdentifyingValue['kind'], text: string): IdentifyingValue => ({
  kind,
  value: text,
  becomes: 'x-1',
  count: 2,
  parts: ['plan', 'rest'],
});
const values = [
  value('address', '10.0.0.9'),
  value('secret', 'abc…'),
  value('address', '10.0.0.8'),
  value('stream', 'cam'),
];
const nothing: KeptValues = new Set();

describe('redaction of a snapshot', () => {
  it('starts with everything, by kind, keys first', () => {
    const groups = groupsOf(values);
    expect(groups.map(({ kind }) => kind)).toEqual(['secret', 'address', 'stream']);
    expect(groups.map((group) => stateOf(group, nothing))).toEqual(['all', 'all', 'all']);
    expect(choiceOf(values, nothing)).toEqual({ keepKinds: [], keep: [] });
  });
  it('can keep single values and entire kinds, but never a key', () => {
    const [secrets, addresses, streams] = groupsOf(values);
    if (!secrets || !addresses || !streams) throw new Error('A kind is missing.');
    let kept = withValue(nothing, value('address', '10.0.0.9'), false);
    expect(stateOf(addresses, kept)).toBe('some');
    kept = withKind(withKind(kept, streams, false), secrets, false);
    expect(stateOf(streams, kept)).toBe('none');
    expect(choiceOf(values, kept).keep).toEqual([
      { kind: 'address', value: '10.0.0.9' },
      { kind: 'stream', value: 'cam' },
    ]);
    expect(remainingText([addresses, streams], kept)).toEqual(['1 address', '1 stream']);
    expect(stateOf(addresses, withKind(kept, addresses, true))).toBe('all');
  });
  it('shows where a value occurs', () => {
    expect(locationText(value('stream', 'cam'))).toBe('2 places: plan, list of runs');
  });
});
