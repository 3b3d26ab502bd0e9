import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { allStreams, cutLists, matchingStreams } from './allStreams';

const node = (name: string, of: Partial<NodeView>): NodeView => ({
  ...{ id: `id-${name}`, name, role: 'origin', colourSlot: 1, state: 'live', reach: 'test', host: name, streams: [] },
  ...of,
});
const stream = (name: string, source = 'WHIP') => ({ stream: name, source });
const nodes = [
  node('fra-1', { streams: [stream('cam'), stream('lobby', 'RTMP · obs')], streamCount: 412 }),
  node('ams-1', { streams: [stream('cam')] }),
  node('gone', { streams: [stream('old')], state: 'stale', streamCount: 900 }),
  node('tester', { role: 'tester' }),
];

describe('the streams of all servers', () => {
  it('have their server, and leave out those of a server that does not respond', () => {
    expect(allStreams(nodes).map(({ stream: name, server }) => `${name}@${server}`)).toEqual([
      'cam@fra-1',
      'lobby@fra-1',
      'cam@ams-1',
    ]);
  });

  it('name the servers that have more than are listed here', () => {
    expect(cutLists(nodes).map(({ node: { name }, more }) => [name, more])).toEqual([['fra-1', 410]]);
  });

  it('are found by stream, server and publisher', () => {
    const found = (filter: string) =>
      matchingStreams(allStreams(nodes), filter).map(({ nodeId, stream: name }) => `${name}@${nodeId}`);
    expect(found('fra CAM')).toEqual(['cam@id-fra-1']);
    expect(found('obs')).toEqual(['lobby@id-fra-1']);
    expect(found(' ')).toHaveLength(3);
  });
});
