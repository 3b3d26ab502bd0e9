import { describe, expect, it } from 'vitest';
import { sessionsResponse, type OpenViduSession } from './responses';
import { connectionsOf, sessionView } from './sessionViews';

function session(over: object = {}): OpenViduSession {
  const [made] = sessionsResponse.parse({ content: [{ id: 'ses', createdAt: 1000, ...over }] }).content;
  if (!made) throw new Error('no session');
  return made;
}
const withConnections = (...content: object[]): OpenViduSession =>
  session({ connections: { numberOfElements: content.length, content } });
const camera = { streamId: 'str_CAM_A', mediaOptions: { videoDimensions: '{"width":640,"height":480}' } };

describe('a session', () => {
  it('leaves out unused tokens', () => {
    const made = withConnections(
      { id: 'con_A', status: 'active', publishers: [camera], subscribers: [] },
      { id: 'con_B', status: 'pending', publishers: null, subscribers: null },
    );
    expect(connectionsOf(made)).toHaveLength(1);
    expect(sessionView(made, 2000)).toEqual({
      stream: 'ses',
      source: 'con_A',
      viewers: 0,
      width: 640,
      height: 480,
      ageMs: 1000,
    });
  });

  it('reads the field names of versions before 2.16', () => {
    const [old] = sessionsResponse.parse({
      content: [
        {
          sessionId: 'old',
          createdAt: 1000,
          connections: { content: [{ connectionId: 'con_A', publishers: [camera], subscribers: [] }] },
        },
      ],
    }).content as [OpenViduSession];
    expect(sessionView(old, 500)).toEqual({
      stream: 'old',
      source: 'con_A',
      viewers: 0,
      width: 640,
      height: 480,
    });
  });

  it.each([
    ['{"clientData":"Ann"}', 'Ann'],
    ['Bob', 'Bob'],
    ['{"name":"Eve","role":"x"}', 'con_A'],
    ['', 'con_A'],
    ['x'.repeat(100), 'con_A'],
  ])('names the publisher with %s', (clientData, name) => {
    const made = withConnections({ id: 'con_A', clientData, publishers: [camera], subscribers: [] });
    expect(sessionView(made, 2000).source).toBe(name);
  });

  it('marks an IP camera, and names at most three publishers', () => {
    const publisher = (id: string, type = 'WEBRTC'): object => ({
      id,
      type,
      publishers: [camera],
      subscribers: [],
    });
    const made = withConnections(publisher('a', 'IPCAM'), publisher('b'), publisher('c'), publisher('d'));
    expect(sessionView(made, 2000).source).toBe('a (IP camera), b, c and 1 more');
  });

  it.each([
    [{ forcedVideoCodec: 'MEDIA_SERVER_PREFERRED', forcedVideoCodecResolved: 'H264' }, 'H.264'],
    [{ forcedVideoCodec: 'VP9' }, 'VP9'],
    [{ forcedVideoCodec: 'NONE', forcedVideoCodecResolved: 'NONE' }, undefined],
    [{}, undefined],
  ])('has the codec only where it is forced: %o', (over, codec) => {
    expect(sessionView(session(over), 2000).videoCodec).toBe(codec);
  });

  it.each(['', 'wide', '{"width":"640","height":480}', '{"width":0,"height":0}'])(
    'has no size where the browser sent no valid one: %s',
    (videoDimensions) => {
      const made = withConnections({
        id: 'con_A',
        publishers: [{ streamId: 's', mediaOptions: { videoDimensions } }],
        subscribers: [],
      });
      expect(sessionView(made, 2000)).not.toHaveProperty('width');
    },
  );
});
