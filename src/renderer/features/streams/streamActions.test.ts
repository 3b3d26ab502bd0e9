import { describe, expect, it } from 'vitest';
import type { NodeCapabilities, NodeView } from '../../../domain/model/node';
import { streamActionsOf, noStreams, noListReason } from './streamActions';
import { buttonOfMany, questionOfMany, questionOfOne, sentenceOfProblems } from './terminateText';

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
  Object.entries(streamActionsOf(node(of), all)).flatMap(([name, deed]) => (deed ? [name] : []));

describe('actions for a stream', () => {
  it('are the capabilities of the node', () => {
    expect(names({})).toEqual(['play', 'pull', 'terminate']);
    expect(names({ can: { ...can, terminate: false, pull: [] } })).toEqual(['play']);
    expect(names({ can: { ...can, play: [] } })).toEqual(['pull', 'terminate']);
  });

  it('are offered while capabilities are unknown, except terminate', () => {
    expect(names({ can: undefined })).toEqual(['play', 'pull']);
  });
});

describe('a node without a list of streams', () => {
  it('shows the reason', () => {
    expect(noListReason(node())).toBeUndefined();
    expect(noListReason(node({ can: { ...can, measure: [] } }))).toBe('srs does not list its streams.');
    expect(noListReason(node({ role: 'tester' }))).toMatch(/is a tester/);
    expect(noListReason(node({ state: 'idle' }))).toMatch(/not running/);
  });
});

describe('a node that lists no stream', () => {
  it('serves none, or does not respond, which is distinguished from serving none', () => {
    expect(noStreams(node())).toBe('srs serves no streams. A new stream appears here within two seconds.');
    const problem = 'h:1985 refuses the connection.';
    for (const state of ['stale', 'failed'] as const)
      expect(noStreams(node({ state, problem }))).toBe(`The streams of srs are unknown now. ${problem}`);
    expect(noStreams(node({ state: 'starting' }))).toContain('Connecting to srs');
  });
});

describe('confirmation before streams are terminated', () => {
  it('states how many, where and which', () => {
    expect(buttonOfMany(6, '')).toBe('Terminate all 6');
    expect(buttonOfMany(12, 'cam')).toBe('Terminate 12 matching');
    expect(questionOfMany('srs', 5000, '').title).toBe('Terminate all 5,000 streams on srs?');
    expect(questionOfMany('srs', 1, 'cam').title).toBe('Terminate the one stream that matches “cam”?');
    expect(questionOfOne('srs', 'cam', { stream: 'cam', source: '', viewers: 742 }).sentence).toContain(
      'disconnects its publisher and 742 viewers',
    );
    expect(questionOfOne('srs', 'cam', undefined).sentence).toContain('disconnects its publisher');
  });

  it('summarises failures', () => {
    expect(sentenceOfProblems('srs', ['a.', 'b.', 'c.', 'd.'])).toBe(
      'srs did not terminate 4 streams: a. b. And 2 more.',
    );
  });
});
