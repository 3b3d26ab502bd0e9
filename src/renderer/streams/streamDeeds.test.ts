import { describe, expect, it } from 'vitest';
import type { NodeCapabilities, NodeView } from '../../domain/node';
import { deedsOf, noStreams, whyNoList } from './streamDeeds';
import { buttonOfMany, questionOfMany, questionOfOne, sentenceOfProblems } from './terminateWords';

const can: NodeCapabilities = {
  publish: [],
  pull: ['whep'],
  play: ['whep'],
  serves: ['whep'],
  measure: ['streams'],
  terminate: true,
};
function node(of: Partial<NodeView> = {}): NodeView {
  return {
    id: 'srs',
    name: 'srs',
    role: 'origin',
    colourSlot: 1,
    state: 'live',
    reach: '',
    host: 'h',
    streams: [],
    can,
    ...of,
  };
}
const all = { play: () => undefined, pull: () => undefined, terminate: () => undefined };
const names = (of: Partial<NodeView>): string[] =>
  Object.entries(deedsOf(node(of), all)).flatMap(([name, deed]) => (deed ? [name] : []));

describe('what can be done with a stream', () => {
  it('is what the node can', () => {
    expect(names({})).toEqual(['play', 'pull', 'terminate']);
    expect(names({ can: { ...can, terminate: false, pull: [] } })).toEqual(['play']);
    expect(names({ can: { ...can, play: [] } })).toEqual(['pull', 'terminate']);
  });

  it('is tried while that is not known, but nothing is ended on a guess', () => {
    expect(names({ can: undefined })).toEqual(['play', 'pull']);
  });
});

describe('a node without a list of streams', () => {
  it('says why', () => {
    expect(whyNoList(node())).toBeUndefined();
    expect(whyNoList(node({ can: { ...can, measure: [] } }))).toBe(
      'srs does not tell which streams it serves.',
    );
    expect(whyNoList(node({ role: 'tester' }))).toMatch(/is a tester/);
    expect(whyNoList(node({ state: 'idle' }))).toMatch(/not running/);
  });
});

describe('a node that lists no stream', () => {
  it('serves none, or does not answer and is not taken for one that serves none', () => {
    expect(noStreams(node())).toBe(
      'srs serves no stream at the moment. One that is published appears here within a second or two.',
    );
    const problem = 'h:1985 refuses the connection.';
    for (const state of ['stale', 'failed'] as const)
      expect(noStreams(node({ state, problem }))).toBe(`What srs serves is not known now. ${problem}`);
    expect(noStreams(node({ state: 'starting' }))).toContain('is being reached');
  });
});

describe('asking before streams are ended', () => {
  it('says how many, where and which', () => {
    expect(buttonOfMany(6, '')).toBe('Terminate all 6');
    expect(buttonOfMany(12, 'cam')).toBe('Terminate 12 that match');
    expect(questionOfMany('srs', 5000, '').title).toBe('Terminate all 5,000 streams on srs?');
    expect(questionOfMany('srs', 1, 'cam').title).toBe('Terminate the one stream that matches “cam”?');
    expect(questionOfOne('srs', 'cam', { stream: 'cam', source: '', viewers: 742 }).sentence).toContain(
      'its publisher and 742 viewers will be cut off',
    );
    expect(questionOfOne('srs', 'cam', undefined).sentence).toContain('its publisher will be cut off');
  });

  it('tells what was not ended, in few words', () => {
    expect(sentenceOfProblems('srs', ['a.', 'b.', 'c.', 'd.'])).toBe(
      'srs did not end 4 streams: a. b. And 2 more of this kind.',
    );
  });
});
