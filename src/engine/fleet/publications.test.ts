import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { FullhouseError } from '../../contract/calls';
import type { PublicationSample, AgentPublishOrder, StreamPublisher } from '../load/driver';
import type { RoomPublisher, StreamAddresses } from '../servers/adapter';
import type { FleetNode } from './node';
import { Publications } from './publications';

let asked: string[] = [];
let servers: Server[] = [];
let own = '';
let other = '';
/** Location of the session in the answer. */
let location = '';

async function listen(name: string): Promise<string> {
  const server = createServer(({ method, headers }, response) => {
    asked.push(`${method} ${name} ${headers.authorization ?? 'without a token'}`);
    if (method === 'POST') response.writeHead(201, { Location: location }).end('v=0');
    else response.writeHead(200).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  asked = [];
  servers = [];
  [own, other] = [await listen('own'), await listen('other')];
});
afterEach(() => {
  for (const server of servers) server.close();
});

/** A server that requires tokens, and counts them. */
function originNode(over: Partial<StreamAddresses> = {}): FleetNode {
  let made = 0;
  const addresses = (): StreamAddresses => ({
    play: {},
    publish: { whip: `${own}/whip` },
    token: (use, holdsMs) => Promise.resolve(`${use}-${holdsMs === undefined ? 'soon' : 'later'}-${(made += 1)}`),
    ...over,
  });
  const node: Partial<FleetNode> = {
    id: 'sfu',
    settings: { server: 'livekit', allowCrossOrigin: true },
    running: true,
    staying: true,
    streams: [],
    server: { addresses, generatesStreams: false } as unknown as FleetNode['server'],
  };
  return node as FleetNode;
}

function testerNode(orders: AgentPublishOrder[], publishers?: StreamPublisher['publishers']): FleetNode {
  const publisher = {
    start: (order: AgentPublishOrder) => {
      orders.push(order);
      return Promise.resolve({ warnings: ['The sample has no audio.'] });
    },
    stop: () => Promise.resolve(),
    onSample: () => () => undefined,
    ...(publishers ? { publishers } : {}),
  };
  return { id: 'local', driver: { publisher } } as unknown as FleetNode;
}

/** A publication of the window. */
const camera = { stream: 'cam', source: 'camera' } as const;
const sample = { stream: 'cam', source: 'sample-240p' };

const testerClock = { offsetMs: 5000, uncertaintyMs: 1 };
type Report = (samples: readonly PublicationSample[], timeMs: number) => void;

/** A tester that reports what the test says. */
function reportingTester(): { readonly tester: FleetNode; readonly report: Report; readonly changes: unknown[] } {
  const changes: unknown[] = [];
  let listener: Report = () => undefined;
  const publisher = {
    start: () => Promise.resolve({ warnings: [] }),
    stop: () => Promise.resolve(),
    onSample: (each: Report) => {
      listener = each;
      return () => undefined;
    },
  };
  const driver = { publisher, remoteClock: testerClock };
  const node = { id: 'local', running: true, driver, changes: { emit: (each: unknown) => changes.push(each) } };
  return { tester: node as unknown as FleetNode, report: (samples, timeMs) => listener(samples, timeMs), changes };
}

describe('the clock of sender reports', () => {
  const publishedBy = async (protocol: PublicationSample['protocol']) => {
    const { tester, report } = reportingTester();
    const publications = new Publications();
    const node = originNode();
    const { job } = await publications.publish(node, sample, tester);
    report([{ job, state: 'live', protocol }], 0);
    return { publications, node };
  };

  it('is that of the agent that publishes over WebRTC', async () => {
    const { publications, node } = await publishedBy('whip');
    expect(publications.senderClock(node, 'cam')).toEqual(testerClock);
    expect(publications.senderClock(node, 'other')).toBeUndefined();
    expect(publications.senderClock(originNode(), 'cam')).toBeUndefined();
  });

  it('is unknown over RTMP, where the server writes the reports', async () => {
    const { publications, node } = await publishedBy('rtmp');
    expect(publications.senderClock(node, 'cam')).toBeUndefined();
  });

  it('is ours for a stream of the window', async () => {
    location = '/session/1';
    const publications = new Publications();
    const node = originNode();
    await publications.signalWhip({ ...camera, node }, 'v=0');
    expect(publications.senderClock(node, 'cam')?.offsetMs).toBe(0);
  });
});

it('the media clock of a stream is that of the agent which publishes it', async () => {
  const { tester, report } = reportingTester();
  const publications = new Publications();
  const node = originNode();
  const { job } = await publications.publish(node, sample, tester);
  const mediaClock = { startMs: 1000, sinceMs: 1000, untilMs: 5000, durationMs: 12_000, uncertaintyMs: 2 };
  report([{ job, state: 'live', mediaClock }], 5000);
  expect(publications.mediaClock(node, 'cam')).toEqual(mediaClock);
  expect(publications.mediaClock(node, 'other')).toBeUndefined();
  expect(publications.mediaClock(originNode(), 'cam')).toBeUndefined();
  report([{ job, state: 'connecting' }], 6000);
  expect(publications.mediaClock(node, 'cam')).toBeUndefined();
});

describe('a server that requires a token', () => {
  it('gets one with the offer and another one with the DELETE', async () => {
    location = '/session/1';
    const publications = new Publications();
    const { session } = await publications.signalWhip({ ...camera, node: originNode() }, 'v=0');
    await publications.sessions.end(session);
    expect(asked).toEqual(['POST own Bearer publish-soon-1', 'DELETE own Bearer publish-soon-2']);
  });

  it('gets none when the session is on another host', async () => {
    location = `${other}/session/1`;
    const publications = new Publications();
    const { session } = await publications.signalWhip({ ...camera, node: originNode() }, 'v=0');
    await publications.sessions.end(session);
    expect(asked).toEqual(['POST own Bearer publish-soon-1', 'DELETE other without a token']);
  });

  it('gets one from an agent that is valid for the entire publication', async () => {
    const orders: AgentPublishOrder[] = [];
    const publications = new Publications();
    await publications.publish(originNode(), sample, testerNode(orders));
    expect(orders).toMatchObject([{ protocol: 'whip', bearerToken: 'publish-later-1', allowCrossOrigin: true }]);
  });

  it('gets the layers of a simulcast, over a protocol that has it, and warns', async () => {
    const orders: AgentPublishOrder[] = [];
    const publications = new Publications();
    const layers = { ...sample, simulcast: ['small.mp4'] };
    const { warnings } = await publications.publish(originNode(), layers, testerNode(orders));
    expect(orders).toMatchObject([{ protocol: 'whip', simulcast: ['small.mp4'] }]);
    expect(warnings).toEqual(['The sample has no audio.']);
    const node = originNode({ publish: { rtmp: 'rtmp://sfu/live/cam' } });
    await expect(publications.publish(node, layers, testerNode(orders))).rejects.toMatchObject({ code: 'no-protocol' });
  });

  it('gets none over RTMP, which has no tokens', async () => {
    const orders: AgentPublishOrder[] = [];
    const node = originNode({ publish: { rtmp: 'rtmp://sfu/live/cam' } });
    await new Publications().publish(node, sample, testerNode(orders));
    expect(orders).toMatchObject([{ protocol: 'rtmp' }]);
    expect(orders[0]).not.toHaveProperty('bearerToken');
  });

  it('has no publication when the token is refused', async () => {
    const refused = new FullhouseError('livekit-secret', 'sfu: the API secret is another one.');
    const node = originNode({ token: () => Promise.reject(refused) });
    const publications = new Publications();
    const started = publications.publish(node, sample, testerNode([]));
    await expect(started).rejects.toBe(refused);
    await expect(publications.signalWhip({ ...camera, node }, 'v=0')).rejects.toBe(refused);
    expect(publications.jobs(({ id }) => id)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('ended together with its node: nothing to report at the end of the run', async () => {
    const orders: AgentPublishOrder[] = [];
    const publications = new Publications();
    const node = originNode();
    const { job } = await publications.publish(node, sample, testerNode(orders));
    (node as { running: boolean; staying: boolean }).staying = false;
    (node as { running: boolean }).running = false;
    publications.forget(node);
    await expect(publications.release(job)).resolves.toBeUndefined();
    await expect(publications.stop(job)).rejects.toMatchObject({ code: 'no-job' });
  });
});

describe('a session that its server ends', () => {
  it('is gone with its publication, and reported once the window knows it', async () => {
    let endBy = (_sentence: string): void => undefined;
    const ended = new Promise<string>((resolve) => (endBy = resolve));
    const signal = (): Promise<unknown> => Promise.resolve({ answerSdp: 'v=0', ended, end: () => Promise.resolve() });
    const node = originNode({ publish: {}, token: undefined });
    Object.assign(node.server, { signal });
    const publications = new Publications();
    const reported: unknown[] = [];
    publications.sessions.ended.on((each) => reported.push(each));
    const { session } = await publications.signalWhip({ ...camera, node }, 'v=0');
    const played = await publications.signalWhep(node, 'cam', 'v=0');
    await publications.sessions.end(played.session);
    expect(publications.jobs(() => 'sfu')).toHaveLength(1);
    const sentence = 'sfu ended cam: Stopped by rest terminate.';
    endBy(sentence);
    await vi.waitFor(() => expect(reported).toEqual([{ session, sentence }]));
    expect(publications.jobs(() => 'sfu')).toEqual([]);
  });
});

describe('publications of the window', () => {
  it('are figures of their server, once for all of them', async () => {
    location = '/session/1';
    const changes: unknown[] = [];
    const node = { ...originNode(), changes: { emit: (each: unknown) => changes.push(each) } } as unknown as FleetNode;
    const publications = new Publications();
    const first = await publications.signalWhip({ ...camera, node }, 'v=0');
    const second = await publications.signalWhip({ ...camera, stream: 'cam-2', node }, 'v=0');
    publications.figures(second.session, { fps: 15, bitrateKbps: 500, rttMs: 7 }, 4900);
    expect(changes).toEqual([]);
    const figures = { fps: 25, bitrateKbps: 1500, retransmissions: 3, lossPercent: 0.5, limitedPercent: 40 };
    publications.figures(first.session, { ...figures, rttMs: 2 }, 5000);
    expect(changes).toEqual([
      {
        ...{ kind: 'publishers', timeMs: 5000 },
        samples: [expect.objectContaining({ fps: 25 }), expect.objectContaining({ fps: 15 })],
        values: {
          ...{ publishersRequested: 2, publishersLive: 2, publishersFailed: 0, publishersConnecting: 0 },
          ...{ publishMbps: 2, publishRttP50Ms: 7, publishRttP95Ms: 7, publishLossPercent: 0.5 },
          ...{ publishRetransmissionsPerSecond: 3, publishKeyframeRequestsPerSecond: 0, publishLimitedPercent: 40 },
        },
      },
    ]);
    expect(publications.jobs(() => 'sfu')).toMatchObject([
      { state: 'holding', fps: 25 },
      { state: 'holding', fps: 15 },
    ]);
    await publications.sessions.end(first.session);
    publications.figures(first.session, figures, 6000);
    expect(changes).toHaveLength(1);
  });

  it('in a room have one token for all their connections, to their own server only, until they end', async () => {
    let removed = 0;
    const roomPublisher = (holdsMs: number): RoomPublisher => ({
      token: `valid for ${holdsMs / 3_600_000} h`,
      end: () => Promise.resolve(void (removed += 1)),
    });
    const node = originNode({ publish: { livekit: 'ws://sfu' }, roomPublisher });
    const publications = new Publications();
    const { session, url } = publications.room({ ...camera, node });
    const { sessions } = publications;
    expect([url, sessions.token(session, node), sessions.players(node)]).toEqual(['ws://sfu', 'valid for 12 h', 0]);
    expect(sessions.token(session, originNode())).toBeUndefined();
    await sessions.end(session);
    expect([removed, sessions.token(session, node)]).toEqual([1, undefined]);
    expect(publications.jobs(() => 'sfu')).toEqual([]);
    const withoutSecret = originNode({ publish: { livekit: 'ws://sfu' } });
    expect(() => publications.room({ ...camera, node: withoutSecret })).toThrow(/API key and secret/);
  });
});

describe('several publishers', () => {
  it('have a numbered stream and a token each', async () => {
    const orders: AgentPublishOrder[] = [];
    const addresses = (stream: string): StreamAddresses => ({
      play: {},
      publish: { livekit: 'ws://sfu', rtmp: `rtmp://sfu/live/${stream}` },
      publisherTokens: (rooms) => rooms.map((room) => `token for ${room}`),
    });
    const node = originNode();
    Object.assign(node.server, { addresses });
    const order = { stream: 'cam {n}', source: '/media/a.ivf', publishers: 2, ratePerSecond: 50 };
    await new Publications().publish(node, { ...order, protocol: 'livekit' }, testerNode(orders));
    await new Publications().publish(node, order, testerNode(orders));
    expect(orders).toMatchObject([
      {
        ...{ protocol: 'livekit', sample: '/media/a.ivf', ratePerSecond: 50 },
        targets: [
          { url: 'ws://sfu', bearerToken: 'token for cam 1' },
          { url: 'ws://sfu', bearerToken: 'token for cam 2' },
        ],
      },
      { protocol: 'rtmp', targets: [{ url: 'rtmp://sfu/live/cam 1' }, { url: 'rtmp://sfu/live/cam 2' }] },
    ]);
  });

  it('are figures of their tester, and a row with their number', async () => {
    const { tester, report, changes } = reportingTester();
    const publications = new Publications();
    const { job } = await publications.publish(originNode(), { ...sample, publishers: 3 }, tester);
    const state = 'live' as const;
    const figures = { bitrateKbps: 380, requested: 3, live: 1, failed: 1, connecting: 1, unacknowledgedKb: 12 };
    report([{ job, state, ...figures, problem: 'Taken.', roundTripMs: { p50: 1, p95: 2, p99: 3 } }], 5000);
    expect(changes).toMatchObject([
      {
        ...{ kind: 'publishers', timeMs: 5000 },
        values: {
          ...{ publishersRequested: 3, publishersLive: 1, publishersFailed: 1, publishersConnecting: 1 },
          ...{ publishMbps: 0.38, publishRttP95Ms: 2, publishUnacknowledgedBytes: 12_000 },
        },
      },
    ]);
    expect(publications.jobs(() => 'local')).toMatchObject([{ publishers: { requested: 3, live: 1, failed: 1 } }]);
    expect(publications.isLive(job)).toBe(false);
    report([{ job, state, ...figures, live: 2, connecting: undefined }], 6000);
    expect(publications.isLive(job)).toBe(true);
    expect(publications.failedOf(job)).toEqual({ failed: 1, of: 3, problem: '' });
  });

  it('are listed by a tester that knows each', async () => {
    const asked: unknown[] = [];
    const page = { total: 2, publishers: [] };
    const tester = testerNode([], (...question: unknown[]) => {
      asked.push(question);
      return Promise.resolve(page);
    });
    const publications = new Publications();
    const { job } = await publications.publish(originNode(), { ...sample, publishers: 2 }, tester);
    expect(publications.jobs(() => 'local')).toMatchObject([{ isListed: true }]);
    expect(await publications.publishers(job, 10, 5)).toBe(page);
    expect(asked).toEqual([[job, 10, 5]]);
    await expect(publications.publishers('publish-9', 0, 5)).rejects.toMatchObject({ code: 'no-job' });
  });

  it('are not listed where the tester does not know each', async () => {
    const publications = new Publications();
    const { job } = await publications.publish(originNode(), sample, testerNode([]));
    expect(publications.jobs(() => 'local')[0]).not.toHaveProperty('isListed');
    await expect(publications.publishers(job, 0, 5)).rejects.toMatchObject({ code: 'not-possible' });
  });
});

describe('a publication that its tester could not end', () => {
  const link = new FullhouseError('link-lost', 'The agent of local is not connected now.');
  const none = new FullhouseError('no-job', 'No publication "publish-1" exists.');

  /** A tester that answers orders with these errors in turn, then follows them. */
  function faultyTester(starts: Error[], stops: Error[]) {
    const orders: string[] = [];
    const answered = <T>(order: string, errors: Error[], value: T): Promise<T> => {
      orders.push(order);
      const error = errors.shift();
      return error ? Promise.reject(error) : Promise.resolve(value);
    };
    const publisher = {
      start: () => answered('start', starts, { warnings: [] }),
      stop: (job: string) => answered(`stop ${job}`, stops, undefined),
      onSample: () => () => undefined,
    };
    const node = { id: 'local', running: true, staying: true, driver: { publisher } };
    const time = new VirtualTime();
    return { node, orders, time, tester: node as unknown as FleetNode, publications: new Publications('', time.clock) };
  }
  const listed = (publications: Publications) => publications.jobs(({ id }) => id).map(({ problem }) => problem);

  it('is listed with the reason, and ordered to end each second until it has', async () => {
    const { orders, time, tester, publications } = faultyTester([], [link, link]);
    const { job } = await publications.publish(originNode(), sample, tester);
    await expect(publications.stop(job)).rejects.toBe(link);
    expect(listed(publications)).toEqual([link.message]);
    // Its end is ordered already: this does not keep a tester of one run.
    expect(publications.isUsing(tester)).toBe(false);
    await time.pass(1000);
    expect(listed(publications)).toEqual([link.message]);
    await time.pass(1000);
    expect(listed(publications)).toEqual([]);
    await time.pass(10_000);
    expect(orders).toEqual(['start', `stop ${job}`, `stop ${job}`, `stop ${job}`]);
  });

  it('is ended by one order, however many wait for it', async () => {
    const { orders, tester, publications } = faultyTester([], []);
    const { job } = await publications.publish(originNode(), sample, tester);
    await Promise.all([publications.stop(job), publications.release(job)]);
    expect(orders).toEqual(['start', `stop ${job}`]);
  });

  it('has ended where its tester does not know it any more', async () => {
    const { time, tester, publications } = faultyTester([], [none]);
    const { job } = await publications.publish(originNode(), sample, tester);
    await publications.stop(job);
    await time.pass(5000);
    expect(listed(publications)).toEqual([]);
  });

  it('is forgotten with its tester', async () => {
    const { node, orders, time, tester, publications } = faultyTester([], [link, link, link]);
    const { job } = await publications.publish(originNode(), sample, tester);
    await expect(publications.stop(job)).rejects.toBe(link);
    node.staying = false;
    await time.pass(5000);
    expect([orders.length, listed(publications)]).toEqual([2, []]);
  });

  it('is ended too if the order to publish was not answered, also if it is accepted late', async () => {
    const noAnswer = new FullhouseError('no-answer', 'local did not respond to audience.publish within 10 s.');
    const { orders, time, tester, publications } = faultyTester([noAnswer], [none, none]);
    await expect(publications.publish(originNode(), sample, tester)).rejects.toBe(noAnswer);
    expect(listed(publications)).toHaveLength(1);
    await time.pass(5000);
    expect([orders, listed(publications)]).toEqual([['start', ...Array<string>(3).fill('stop publish-1')], []]);
  });

  it('is not looked for longer than a minute, and not at all if the order was refused', async () => {
    const noAnswer = new FullhouseError('no-answer', 'local did not respond to audience.publish within 10 s.');
    const silent = faultyTester([noAnswer], Array<Error>(100).fill(none));
    await expect(silent.publications.publish(originNode(), sample, silent.tester)).rejects.toBe(noAnswer);
    await silent.time.pass(59_000);
    expect(listed(silent.publications)).toHaveLength(1);
    await silent.time.pass(2000);
    expect(listed(silent.publications)).toEqual([]);
    const refused = new FullhouseError('no-sample', 'Sample "x" does not exist.');
    const { orders, publications, tester } = faultyTester([refused], []);
    await expect(publications.publish(originNode(), sample, tester)).rejects.toBe(refused);
    expect([orders, listed(publications)]).toEqual([['start'], []]);
  });
});
