import { expect, it } from 'vitest';
import type { ProbePlay } from '../../../domain/model/probe';
import { systemClock } from '../../base/clock';
import type { LoadDriver, PullOrder } from '../../load/driver';
import { trialPlay, type TrialOrder } from './trialPlay';
import { typedServer } from './typedServer';
import { readTypedAddress } from './typedAddress';

type Driver = Parameters<typeof trialPlay>[0];

/** A tester whose viewers never have a frame, and what it was asked. */
function tester(over: Partial<Driver> = {}): { driver: Driver; started: PullOrder[]; stopped: string[] } {
  const started: PullOrder[] = [];
  const stopped: string[] = [];
  const driver: Driver = {
    protocols: ['whep', 'hls'],
    start: (order) => {
      started.push(order);
      return Promise.resolve({ warnings: [] });
    },
    stop: (job) => {
      stopped.push(job);
      return Promise.resolve({ present: 0 });
    },
    viewers: () => Promise.resolve({ total: 0, viewers: [] }),
    ...over,
  };
  return { driver, started, stopped };
}

async function played(
  driver: Driver,
  typed: string,
  play: TrialOrder['addresses']['play'],
  over: Partial<TrialOrder> = {},
): Promise<ProbePlay[]> {
  const plays: ProbePlay[] = [];
  const order: TrialOrder = {
    ...{ stream: 'cam', addresses: { play, publish: {} }, withinMs: 0, signal: new AbortController().signal },
    settings: { server: 'generic', user: 'qa' },
    secrets: { httpPassword: 'planted' },
    typed: typedServer(readTypedAddress(typed)),
    ...over,
  };
  await trialPlay(driver, systemClock, order, (each) => plays.push(each));
  return plays;
}

const login = { user: 'qa', password: 'planted' };

it('plays and logs in on the typed host only', async () => {
  const { driver, started } = tester();
  const plays = await played(driver, 'Media.test', {
    whep: 'https://media.test:8889/cam/whep',
    hls: 'https://cdn.test/cam.m3u8',
  });
  expect(started).toMatchObject([{ protocol: 'whep', login }]);
  expect(plays.find(({ protocol }) => protocol === 'hls')).toMatchObject({
    failed: 'The address is on another host, cdn.test, and was not played.',
  });
});

it.each([
  ['https://media.test/', 'https://media.test:8889/cam/whep', true],
  ['https://media.test/', 'http://media.test:8889/cam/whep', false],
  ['http://media.test/', 'http://media.test:8889/cam/whep', true],
])('typed %s, played %s: sends the login or token: %s', async (typed, whep, isSent) => {
  const { driver, started } = tester();
  await played(driver, typed, { whep });
  await played(driver, typed, { whep }, { settings: { server: 'generic' } });
  expect(started.map((order) => [order.login, order.tokens])).toEqual(
    isSent
      ? [
          [login, undefined],
          [undefined, ['planted']],
        ]
      : [
          [undefined, undefined],
          [undefined, undefined],
        ],
  );
});

it('plays through the proxy of the node', async () => {
  const { driver, started } = tester();
  for (const proxy of ['http://proxy.test:3128', 'none', undefined])
    await played(driver, 'media.test', { whep: 'http://media.test/w' }, { settings: { server: 'generic', proxy } });
  expect(started.map(({ proxy }) => proxy)).toEqual(['http://proxy.test:3128', 'none', undefined]);
});

it('starts nothing once the probe has ended', async () => {
  const { driver, started } = tester();
  const ending = new AbortController();
  ending.abort();
  await played(driver, 'media.test', { whep: 'http://media.test/w' }, { signal: ending.signal });
  expect(started).toEqual([]);
});

it('stops its viewers when the probe ends, also while they start', async () => {
  for (const during of ['start', 'viewers'] as const) {
    const ending = new AbortController();
    const real = tester();
    const { driver, stopped } = tester({
      start: (order) => {
        if (during === 'start') ending.abort();
        return real.driver.start(order);
      },
      viewers: () => {
        setImmediate(() => ending.abort());
        return Promise.resolve({ total: 0, viewers: [] });
      },
    });
    const startMs = performance.now();
    const over = { signal: ending.signal, withinMs: 2000 };
    expect(await played(driver, 'media.test', { whep: 'http://media.test/w' }, over)).toMatchObject([
      { failed: 'The probe has ended.' },
    ]);
    expect(performance.now() - startMs).toBeLessThan(1000);
    expect(stopped).toEqual(real.started.map(({ job }) => job));
  }
});

it('stops a viewer whose start failed: its tester may have started it', async () => {
  const orders: string[] = [];
  const { driver, stopped } = tester({
    start: (order: Parameters<LoadDriver['start']>[0]) => {
      orders.push(order.job);
      return Promise.reject(new Error('The tester did not answer in time.'));
    },
  });
  expect(await played(driver, 'media.test', { whep: 'http://media.test/w' })).toMatchObject([
    { failed: 'The tester did not answer in time.' },
  ]);
  expect(stopped).toEqual(orders);
});
