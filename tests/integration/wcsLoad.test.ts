import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/engine/base/clock';
import type { PublicationSample, PullOrder, PullSample } from '../../src/engine/load/driver';
import { WcsPusher } from '../../src/engine/load/wcs/pusher';
import { wcsDriver, type WcsDriver, type WcsDriverOptions } from '../../src/engine/load/wcs/wcsDriver';
import type { StandinWcs } from '../standins/wcs';
import { until } from '../support/until';
import { cleanUp, later, restOf, standin } from './wcsSupport';

afterEach(cleanUp);

/** Four times real time: intervals of seconds pass faster. */
const fastClock: Clock = {
  now: () => Math.round(Date.now() * 4),
  wall: Date.now,
  monotonic: () => performance.now() * 4,
  after: (ms, run) => systemClock.after(ms / 4, run),
};

interface Rig {
  readonly driver: WcsDriver;
  readonly samples: PullSample[];
  readonly last: () => PullSample | undefined;
  readonly start: (over?: Partial<PullOrder>) => Promise<readonly string[]>;
}

function rig(origin: StandinWcs, tester: StandinWcs, over: Partial<WcsDriverOptions> = {}): Rig {
  const driver = wcsDriver({ rest: restOf(tester, 'tester-1'), clock: fastClock, ...over });
  later(() => driver.close());
  const samples: PullSample[] = [];
  driver.onSample((jobs) => samples.push(...jobs));
  return {
    driver,
    samples,
    last: () => samples[samples.length - 1],
    start: async (more = {}) => {
      const { warnings } = await driver.start({
        job: 'pull-1',
        protocol: 'wcs',
        url: origin.ws,
        stream: 'cam',
        viewers: 20,
        ratePerSecond: 100,
        maxHoldMs: 0,
        nominalFps: 25,
        ...more,
      });
      return warnings;
    },
  };
}

async function pair(): Promise<{ origin: StandinWcs; tester: StandinWcs }> {
  const [origin, tester] = [await standin(), await standin()];
  origin.publish('cam');
  return { origin, tester };
}

async function leave({ driver, last }: Rig, force = false): Promise<void> {
  await driver.stop('pull-1', force);
  expect(await until(() => last()?.state === 'ended', 15_000)).toBe(true);
  expect(last()?.present).toBe(0);
}

describe('a WCS pulls from a WCS', () => {
  it('300 viewers at 100 a second, with the same count on both sides, and all disconnect', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester, { clock: systemClock });
    const [warning] = await it.start({ viewers: 300 });
    expect(warning).toContain('once a second');
    expect(await until(() => it.last()?.connected === 300, 20_000)).toBe(true);
    expect(it.last()).toMatchObject({
      state: 'holding',
      requested: 300,
      waiting: 0,
      connecting: 0,
      failed: 0,
      degraded: 0,
      present: 300,
      rateTarget: 100,
      failures: [],
    });
    // 272 kbit/s each; a token bucket admits no more than the requested rate, however slow this machine is.
    expect(it.last()?.bitrateKbps).toBeCloseTo(300 * 272, 0);
    expect(it.last()?.rateAchieved).toBeLessThan(105);
    expect(it.last()?.distributions.frameRate?.percentiles([0, 100])).toEqual([25, 25]);
    const statistics = await restOf(origin).statistics();
    expect(statistics.numbers.get('streams_webrtc_out')).toBe(300);
    expect(tester.node.pulls.size).toBe(300);
    expect(it.driver.portLimit).toBe(1000);
    const { total, viewers } = await it.driver.viewers('pull-1', 290, 100);
    expect(total).toBe(300);
    expect(viewers).toHaveLength(10);
    expect(viewers[9]).toMatchObject({ viewer: 300, state: 'connected', fps: 25, degraded: false });

    await leave(it);
    expect(tester.node.pulls.size).toBe(0);
    expect(await until(() => origin.node.playing().length === 0)).toBe(true);
    expect(tester.node.requests.filter((request) => request.endsWith('/pull/terminate'))).toHaveLength(300);
    // Five more samples, then the job is no longer reported.
    const over = it.samples.filter(({ state }) => state === 'ended').length;
    expect(over).toBeGreaterThan(0);
  });

  it('lists all pulls with one request a second', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    await it.start({ viewers: 60 });
    expect(await until(() => it.last()?.connected === 60)).toBe(true);
    const ticks = it.samples.length;
    const lists = tester.node.requests.filter((request) => request.endsWith('/pull/find_all')).length;
    expect(Math.abs(lists - ticks)).toBeLessThanOrEqual(1);
  });

  it('ends after its maximum hold', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    await it.start({ viewers: 5, maxHoldMs: 1500 });
    expect(await until(() => it.last()?.state === 'ended', 15_000)).toBe(true);
    expect(tester.node.pulls.size).toBe(0);
  });

  it('pulls over RTMP as well', async () => {
    const { origin, tester } = await pair();
    const sockets = new Set<Socket>();
    const rtmp = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => rtmp.listen(0, '127.0.0.1', resolve));
    later(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => rtmp.close(() => resolve()));
    });
    const it = rig(origin, tester);
    const { port } = rtmp.address() as AddressInfo;
    await it.start({ protocol: 'rtmp', url: `rtmp://127.0.0.1:${port}/live/cam` });
    expect(await until(() => it.last()?.connected === 20)).toBe(true);
    expect(sockets.size).toBe(20);
    await leave(it);
    expect(tester.node.pulls.size).toBe(0);
  });
});

describe('a failing pull', () => {
  it('shows viewers waiting at a limit of the origin, and disconnects them too', async () => {
    const { origin, tester } = await pair();
    origin.conditions.ceiling = 12;
    const it = rig(origin, tester);
    await it.start();
    expect(await until(() => it.last()?.connected === 12)).toBe(true);
    await until(() => it.samples.length > 4);
    expect(it.last()).toMatchObject({ connected: 12, connecting: 8, failed: 0, present: 20 });
    await leave(it);
    expect(tester.node.pulls.size).toBe(0);
  });

  it('counts degraded viewers when the origin lacks CPU', async () => {
    const { origin, tester } = await pair();
    origin.conditions.enoughCpuFor = 15;
    const it = rig(origin, tester);
    await it.start({ viewers: 30 });
    expect(await until(() => it.last()?.degraded === 30, 20_000)).toBe(true);
    expect(it.last()?.distributions.frameRate?.percentile(50)).toBeCloseTo(12.5, 5);
    const { viewers } = await it.driver.viewers('pull-1', 0, 1);
    expect(viewers[0]).toMatchObject({ degraded: true, degradedReason: 'frame-rate' });
    expect((await restOf(origin).statistics()).numbers.get('degraded_streams')).toBe(15);
    await leave(it);
  });

  it('warns of too few ports, counts those in quarantine, and tries all pulls', async () => {
    const { origin, tester } = await pair();
    Object.assign(tester.conditions, { agentPorts: 16, quarantineMs: 60_000 });
    const it = rig(origin, tester);
    expect((await it.start())[1]).toMatch(/^It has 16 ports free for pulls .+, and 20 pulls need one each/);
    expect(await until(() => it.last()?.connected === 16 && it.last()?.failed === 4)).toBe(true);
    expect(it.driver.portLimit).toBe(16);
    await leave(it);
    expect((await it.start({ viewers: 10 }))[1]).toMatch(/^It has 0 ports free for pulls and 16 in quarantine/);
    await leave(it);
    // RTMP takes none of these ports.
    const overRtmp = await it.start({ job: 'pull-2', protocol: 'rtmp', url: 'rtmp://127.0.0.1:9/live/cam' });
    expect(overRtmp).toHaveLength(1);
    await it.driver.stop('pull-2', true);
  });

  it('reports the response time of a tester, and the number of concurrent requests', async () => {
    const { origin, tester } = await pair();
    tester.conditions.pullDelayMs = 400;
    const it = rig(origin, tester, { clock: systemClock });
    await it.start({ viewers: 16 });
    expect(await until(() => it.last()?.connected === 16, 20_000)).toBe(true);
    // Four in progress, each for 0.4 s.
    expect(it.last()?.rateAchieved).toBeLessThan(15);
    expect(it.last()?.rateTarget).toBe(100);
    await leave(it);
  });

  it('groups refusals of the tester', async () => {
    const { origin, tester } = await pair();
    tester.conditions.failEvery = { nth: 4, status: 500 };
    const it = rig(origin, tester);
    await it.start();
    expect(await until(() => it.last()?.connected === 15)).toBe(true);
    expect(it.last()).toMatchObject({
      failed: 5,
      present: 15,
      failures: [
        {
          stage: 'signalling',
          cause: 'http-500',
          count: 5,
          example: { viewer: expect.any(Number) as number },
        },
      ],
    });
    expect(it.last()?.failures[0]?.example.detail).toContain('tester-1: /pull/pull returned HTTP 500');
    const { viewers } = await it.driver.viewers('pull-1', 0, 100, 'failed');
    expect(viewers).toHaveLength(5);
    expect(viewers[0]).toMatchObject({ state: 'failed', failure: { cause: 'http-500' } });
    await leave(it);
  });

  it('distinguishes a web page from a WCS response', async () => {
    const { origin, tester } = await pair();
    tester.conditions.answersOf = /pull\/pull/;
    tester.conditions.answers = 'html';
    const it = rig(origin, tester);
    await it.start({ viewers: 3 });
    expect(await until(() => it.last()?.failed === 3)).toBe(true);
    expect(it.last()?.failures).toMatchObject([{ stage: 'signalling', cause: 'not-json', count: 3 }]);
    await leave(it);
  });

  it('times out on requests without a response, and stops pulls that start later', async () => {
    const { origin, tester } = await pair();
    // The tester accepts them, and responds long after the timeout.
    tester.conditions.pullDelayMs = 1500;
    const it = rig(origin, tester, { orderTimeoutMs: 500 });
    await it.start({ viewers: 4 });
    expect(await until(() => it.last()?.failed === 4)).toBe(true);
    expect(it.last()?.failures).toMatchObject([{ stage: 'signalling', cause: 'timeout', count: 4 }]);
    expect(await until(() => tester.node.requests.some((request) => request.endsWith('/pull/terminate')))).toBe(true);
    await leave(it);
    expect(tester.node.pulls.size).toBe(0);
  });

  it('can be force-stopped while the tester responds to no request', async () => {
    const { origin, tester } = await pair();
    tester.conditions.answersOf = /pull\/pull/;
    tester.conditions.answers = 'never';
    const it = rig(origin, tester);
    await it.start({ viewers: 10 });
    expect(await until(() => it.last()?.connecting === 4)).toBe(true);
    expect(it.last()).toMatchObject({ waiting: 6, present: 4, failed: 0 });
    await leave(it, true);
    expect(it.last()).toMatchObject({ waiting: 6, failed: 0 });
  });

  it('can be force-stopped while the tester stops no pull', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    await it.start();
    expect(await until(() => it.last()?.connected === 20)).toBe(true);
    tester.conditions.answersOf = /pull\/terminate/;
    tester.conditions.answers = 'never';
    await leave(it, true);
    expect(tester.node.pulls.size).toBe(0);
  });

  it('loses viewers when their origin ends', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    await it.start({ viewers: 6 });
    expect(await until(() => it.last()?.connected === 6)).toBe(true);
    origin.dropConnections();
    expect(await until(() => it.last()?.failed === 6)).toBe(true);
    expect(it.last()).toMatchObject({
      connected: 0,
      present: 0,
      failures: [{ stage: 'media', cause: 'gone' }],
    });
    await leave(it);
  });

  it('leaves a gap while the tester does not respond', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    const problems: Array<string | undefined> = [];
    it.driver.onProblem((sentence) => problems.push(sentence));
    await it.start({ viewers: 5 });
    expect(await until(() => it.last()?.connected === 5)).toBe(true);
    tester.conditions.answers = 'html';
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(problems[0]).toMatch(/^tester-1: .+ a web page|HTML/);
    const before = it.samples.length;
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(it.samples).toHaveLength(before);
    tester.conditions.answers = 'normal';
    expect(await until(() => it.samples.length > before)).toBe(true);
    expect(problems[1]).toBeUndefined();
    await leave(it, true);
  });

  it('is refused where it is not supported', async () => {
    const { origin, tester } = await pair();
    const it = rig(origin, tester);
    await expect(it.start({ protocol: 'whep' })).rejects.toMatchObject({ code: 'no-protocol' });
    await expect(it.start({ url: 'http://127.0.0.1/' })).rejects.toMatchObject({ code: 'bad-address' });
    tester.conditions.answers = 'html';
    await expect(it.start()).rejects.toMatchObject({ code: 'not-statistics' });
    tester.conditions.answers = 'normal';
    expect(tester.node.pullRequests).toBe(0);
    await it.start({ viewers: 2 });
    await expect(it.start({ viewers: 2 })).rejects.toMatchObject({ code: 'duplicate-job' });
    await expect(it.driver.stop('nobody', false)).rejects.toMatchObject({ code: 'no-job' });
    await leave(it);
  });
});

describe('leftovers of a crash', () => {
  it('are found by name and stopped, and nothing else is', async () => {
    const { origin, tester } = await pair();
    const crashed = rig(origin, tester);
    await crashed.start({ viewers: 10 });
    // All answered: of a request that is under way the driver may end the pull itself.
    expect(await until(() => tester.node.pulls.size === 10 && crashed.last()?.connected === 10)).toBe(true);
    crashed.driver.close();

    const mine = rig(origin, tester);
    const foreign = { uri: origin.ws, localStreamName: 'somebody-1', remoteStreamName: 'cam' };
    await restOf(tester).pull.pull(foreign);
    await mine.start({ viewers: 3 });
    expect(await until(() => mine.last()?.connected === 3)).toBe(true);
    const leftovers = await mine.driver.leftovers();
    expect(leftovers).toHaveLength(10);
    expect(leftovers[0]).toMatchObject({ remoteStreamName: 'cam', uri: origin.ws, job: 1 });
    expect(await mine.driver.terminateLeftovers()).toEqual({ left: [] });
    expect([...tester.node.pulls.values()].map(({ localStreamName }) => localStreamName)).toContain('somebody-1');
    expect(tester.node.pulls.size).toBe(4);
    await leave(mine);
  });
});

describe('a WCS that pushes its own stream', () => {
  const rtmp = (number: number): string => `rtmp://127.0.0.1/live/copy-${number}`;

  it('starts a batch at its rate, counts refused and lost copies, and ends the others', async () => {
    const tester = await standin();
    tester.publish('cam');
    const pusher = new WcsPusher(restOf(tester, 'tester-1'), fastClock);
    later(() => pusher.close());
    const seen: PublicationSample[] = [];
    pusher.onSample((samples) => seen.push(...samples));
    // The name of the last one is taken.
    await restOf(tester).push.startup({ streamName: 'cam', rtmpUrl: rtmp(10), rtmpTransponderFullUrl: true });
    const [foreign] = tester.node.pushes.keys();
    const targets = Array.from({ length: 10 }, (_, index) => ({ url: rtmp(index + 1) }));
    await pusher.start({ job: 'push', protocol: 'rtmp', sample: 'stream://cam', targets, ratePerSecond: 100 });
    expect(await until(() => seen.at(-1)?.live === 9 && seen.at(-1)?.failed === 1)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ state: 'live', requested: 10, waiting: 0, connecting: 0 });
    expect(seen.at(-1)?.problem).toContain('HTTP 409');
    const [, lost] = tester.node.pushes.keys();
    tester.node.pushes.delete(lost ?? '');
    expect(await until(() => seen.at(-1)?.failed === 2)).toBe(true);
    expect(seen.at(-1)?.problem).toContain('no longer lists the push of cam');
    await pusher.stop('push');
    expect([...tester.node.pushes.keys()]).toEqual([foreign]);
  });

  it('pushes one stream, and refuses samples', async () => {
    const tester = await standin();
    const pusher = new WcsPusher(restOf(tester, 'tester-1'), fastClock);
    later(() => pusher.close());
    const order = { job: 'push', protocol: 'rtmp', url: rtmp(1) } as const;
    await expect(pusher.start({ ...order, sample: 'sample-240p' })).rejects.toThrow(/^tester-1 is a WCS, which pushes/);
    const seen: PublicationSample[] = [];
    pusher.onSample((samples) => seen.push(...samples));
    await pusher.start({ ...order, sample: 'stream://cam' });
    expect(await until(() => seen.at(-1)?.state === 'live')).toBe(true);
    await pusher.stop('push');
    expect(tester.node.pushes.size).toBe(0);
  });
});
