import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../src/engine/base/clock';
import { wcsSignalling } from '../../src/engine/servers/wcs/signalMedia';
import type { StandinWcs } from '../standins/wcs';
import { offerOf } from '../standins/wcs/sdp';
import { until } from '../support/until';
import type { Conditions } from '../standins/wcs/conditions';
import { assumedMedia } from '../standins/wcs/media';
import { cleanUp, later, standin as startStandin } from './wcsSupport';

afterEach(cleanUp);

/** The signalling alone: media is taken as if it flowed. */
async function standin(conditions: Partial<Conditions> = {}): Promise<StandinWcs> {
  const server = await startStandin(conditions);
  server.node.media = assumedMedia;
  return server;
}

/** A Chromium offer, shortened to the relevant lines. */
const browserOffer = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=extmap-allow-mixed',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 0',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  'a=ice-options:trickle',
  'a=setup:actpass',
  'a=mid:0',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=rtpmap:0 PCMU/8000',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102',
  'c=IN IP4 0.0.0.0',
  'a=setup:actpass',
  'a=mid:1',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 profile-level-id=42e01f;packetization-mode=1',
  '',
].join('\r\n');

interface Frame {
  readonly message: string;
  readonly data: ReadonlyArray<Record<string, unknown> & string>;
}

/** A minimal web client. */
async function client(
  server: StandinWcs,
): Promise<{ send(message: string, argument: object | null): void; next(message: string): Promise<Frame> }> {
  const socket = new WebSocket(server.ws);
  later(() => socket.terminate());
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString('utf8')) as Frame));
  await new Promise((resolve) => socket.once('open', resolve));
  return {
    send: (message, argument) => socket.send(JSON.stringify({ message, data: [argument] })),
    next: async (message) => {
      const fits = (frame: Frame): boolean => frame.message === message;
      if (!(await until(() => frames.some(fits), 5000))) throw new Error(`No ${message} received.`);
      const [frame] = frames.splice(frames.findIndex(fits), 1);
      if (!frame) throw new Error(`No ${message} received.`);
      return frame;
    },
  };
}

async function established(server: StandinWcs): ReturnType<typeof client> {
  const peer = await client(server);
  peer.send('connection', { appKey: 'defaultApp', mediaProviders: ['WebRTC'], clientVersion: '2.0' });
  expect((await peer.next('getUserData')).data[0]).toMatchObject({ status: 'ESTABLISHED' });
  return peer;
}

const streamOf = (mediaSessionId: string, name: string, published: boolean): object => ({
  mediaSessionId,
  name,
  published,
  hasVideo: true,
  hasAudio: true,
  status: 'PENDING',
  mediaProvider: 'WebRTC',
  sdp: published ? browserOffer.replaceAll('a=recvonly', 'a=sendonly') : browserOffer,
});

describe('the stand-in with a web client', () => {
  it('publishes, plays with a complete answer, and stops', async () => {
    const server = await standin();
    const peer = await established(server);
    peer.send('publishStream', streamOf('p1', 'cam', true));
    expect((await peer.next('setRemoteSDP')).data[0]).toBe('p1');
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({ status: 'PUBLISHING' });

    peer.send('availableStream', { mediaSessionId: 'a1', name: 'cam' });
    expect((await peer.next('availableStream')).data[0]).toMatchObject({ id: 'a1', status: 'true' });
    peer.send('playStream', streamOf('v1', 'cam', false));
    const [id, answer = ''] = (await peer.next('setRemoteSDP')).data;
    expect(id).toBe('v1');
    for (const line of [
      'a=ice-lite',
      'a=setup:passive',
      'a=mid:1',
      'a=sendonly',
      'a=end-of-candidates',
      'a=rtpmap:111 opus/48000/2',
    ])
      expect(answer.split('\r\n')).toContain(line);
    expect(answer).toMatch(/^a=candidate:1 1 udp /m);
    expect(answer).not.toContain('rtx');
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({ status: 'PLAYING' });
    peer.send('stopStream', streamOf('v1', 'cam', false));
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({
      mediaSessionId: 'v1',
      status: 'STOPPED',
    });

    peer.send('playStream', streamOf('v2', 'cam', false));
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({ status: 'PLAYING' });
    peer.send('unPublishStream', streamOf('p1', 'cam', true));
    // The viewer ends with its publisher.
    const ends = [await peer.next('notifyStreamStatusEvent'), await peer.next('notifyStreamStatusEvent')];
    expect(ends.map(({ data }) => data[0])).toMatchObject([
      { mediaSessionId: 'v2', status: 'STOPPED', info: 'Stopped by publisher stop' },
      { mediaSessionId: 'p1', status: 'UNPUBLISHED' },
    ]);
    peer.send('ping', null);
    expect((await peer.next('pong')).data).toHaveLength(1);
  });

  it('refuses unknown streams, names in use and offers without a common codec', async () => {
    const server = await standin();
    server.publish('cam');
    const peer = await established(server);
    const infos: unknown[] = [];
    for (const [message, stream] of [
      ['playStream', streamOf('1', 'nothing', false)],
      ['publishStream', streamOf('2', 'cam', true)],
      [
        'playStream',
        { ...streamOf('3', 'cam', false), sdp: offerOf('recvonly').replace(/opus|PCM[UA]|G722/g, 'sonic') },
      ],
    ] as const) {
      peer.send(message, stream);
      infos.push((await peer.next('notifyStreamStatusEvent')).data[0]);
    }
    expect(infos).toMatchObject([
      { status: 'FAILED', info: 'Stream not found' },
      { status: 'FAILED', info: 'Stream name is already in use' },
      { status: 'FAILED', info: 'No common codecs' },
    ]);
  });
});

describe('a session of the stand-in', () => {
  it('is PENDING until media flows, and fails where none does', async () => {
    const server = await startStandin({ iceTimeoutMs: 300 });
    server.publish('cam');
    const peer = await established(server);
    peer.send('playStream', streamOf('v1', 'cam', false));
    peer.send('playStream', streamOf('v2', 'cam', false));
    await peer.next('setRemoteSDP');
    expect(server.node.playing()).toHaveLength(0);
    peer.send('standinMedia', { mediaSessionId: 'v2' });
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({
      mediaSessionId: 'v2',
      status: 'PLAYING',
    });
    expect((await peer.next('notifyStreamStatusEvent')).data[0]).toMatchObject({
      ...{ mediaSessionId: 'v1', status: 'FAILED', info: 'Failed by ICE timeout' },
    });
  });

  it('needs a response to its pings', async () => {
    const server = await startStandin({ pingMs: 30 });
    const silent = await established(server);
    expect((await silent.next('ping')).data).toHaveLength(1);
    expect(await until(() => server.node.connections.size === 0)).toBe(true);
    const { signal } = wcsSignallingOf(server);
    server.node.media = assumedMedia;
    const published = await signal('publish', 'cam', offerOf('sendonly'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.node.published('cam')).toBeDefined();
    await published.end();
  });
});

function wcsSignallingOf(server: StandinWcs): ReturnType<typeof wcsSignalling> {
  const signalling = wcsSignalling({ who: 'wcs-1', url: server.ws, clock: systemClock });
  later(() => signalling.close());
  return signalling;
}

describe('the signalling of the control player', () => {
  const signallingOf = (url: string | undefined) => {
    const signalling = wcsSignalling({ who: 'wcs-1', url, clock: systemClock });
    later(() => signalling.close());
    return signalling;
  };

  it('plays and publishes, and stops both', async () => {
    const server = await standin();
    const { signal } = signallingOf(server.ws);
    const published = await signal('publish', 'cam', offerOf('sendonly'));
    expect(server.node.published('cam')).toMatchObject({ status: 'PUBLISHING', hasVideo: true, hasAudio: true });
    const [session] = offerOf('sendonly').split(/(?=m=audio)/);
    const silent = `${session ?? ''}${offerOf('sendonly').split(/(?=m=video)/)[1] ?? ''}`;
    const withoutSound = await signal('publish', 'silent', silent);
    expect(server.node.published('silent')).toMatchObject({ hasVideo: true, hasAudio: false });
    await withoutSound.end();
    const played = await signal('play', 'cam', browserOffer);
    expect(played.answerSdp).toContain('a=ice-lite');
    expect(await until(() => server.node.playing().length === 1)).toBe(true);
    await played.end();
    expect(server.node.messages.get('stopStream')).toMatchObject({ status: 'PLAYING', hasAudio: true });
    expect(server.node.messages.get('playStream')?.sdp).not.toContain('a=candidate');
    expect(server.node.messages.get('publishStream')).toHaveProperty('localMediaInfo.tracks.video');
    expect(server.node.playing()).toHaveLength(0);
    expect(server.node.connections.size).toBeLessThan(3);
    await published.end();
    expect(server.node.streams.size).toBe(0);
    await published.end();
  });

  it("reports at once that the server ends a session, in the server's words", async () => {
    const server = await standin();
    const { signal } = signallingOf(server.ws);
    const published = await signal('publish', 'cam', offerOf('sendonly'));
    const played = await signal('play', 'cam', browserOffer);
    const [publication] = server.node.streams.values();
    server.node.endStream(publication?.mediaSessionId ?? '', 'Stopped by rest terminate');
    expect(await published.ended).toBe('wcs-1 ended cam: Stopped by rest terminate.');
    expect(await played.ended).toBe('wcs-1 ended cam: Stopped by publisher stop.');

    server.publish('other');
    const again = await signal('play', 'other', browserOffer);
    await server.close();
    expect(await again.ended).toBe('wcs-1 closed the connection of other.');
  });

  it('reports the reason of a failure in one sentence', async () => {
    const server = await standin();
    const { signal } = signallingOf(server.ws);
    await expect(signal('play', 'cam', browserOffer)).rejects.toThrow('wcs-1 failed to play cam: Stream not found.');
    await expect(signallingOf(server.url.replace('http', 'ws')).signal('play', 'x', browserOffer)).rejects.toThrow(
      /^wcs-1: can't connect to ws:/,
    );
    await expect(signallingOf(undefined).signal('play', 'x', browserOffer)).rejects.toThrow('no address');
  });

  it('ends with its server', async () => {
    const server = await standin();
    server.publish('cam');
    const signalling = signallingOf(server.ws);
    await signalling.signal('play', 'cam', browserOffer);
    expect(await until(() => server.node.playing().length === 1)).toBe(true);
    signalling.close();
    expect(await until(() => server.node.playing().length === 0)).toBe(true);
  });
});
