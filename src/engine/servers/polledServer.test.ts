import { expect, it } from 'vitest';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import type { PolledServer, ServerSample } from './adapter';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { polledAdapter } from './polledServer';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock whose timers fire some ms early, as real ones do by a fraction of one. */
const firesEarly = (clock: Clock, ms: number): Clock => ({
  ...clock,
  after: (waitMs, run) => clock.after(Math.max(1, waitMs - ms), run),
});

type Poll = Awaited<ReturnType<PolledServer['poll']>>;

function testServer(): PolledServer & {
  pollCount: number;
  answer(poll: Poll): Promise<void>;
  fail(error: Error): Promise<void>;
} {
  let waiting: { resolve(poll: Poll): void; reject(error: Error): void } | undefined;
  const server = {
    family: 'srs' as const,
    capabilities: { publish: [], pull: [], play: [], serves: [], measure: [], terminate: false },
    pollCount: 0,
    identify: () => Promise.resolve({ software: 'SRS 7.0.18' }),
    poll: () => {
      server.pollCount += 1;
      return new Promise<Poll>((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    addresses: () => ({ play: {}, publish: {} }),
    answer: (poll: Poll) => {
      waiting?.resolve(poll);
      return settled();
    },
    fail: (error: Error) => {
      waiting?.reject(error);
      return settled();
    },
  };
  return server;
}

function watched() {
  const { clock, pass } = new VirtualTime(1_000_300);
  const server = testServer();
  const adapter = polledAdapter(server, { clock, who: 'Edge 1' });
  const samples: ServerSample[] = [];
  const problems: Array<string | undefined> = [];
  adapter.onProblem((sentence) => problems.push(sentence));
  const off = adapter.onSample((sample) => samples.push(sample));
  return { pass, server, adapter, samples, problems, off };
}

const cam = { stream: 'cam', source: 'RTMP' };

it('polls on full seconds and stamps a sample with the middle of its request', async () => {
  const { pass, server, samples } = watched();
  await pass(699);
  expect(server.pollCount).toBe(0);
  await pass(1);
  expect(server.pollCount).toBe(1);
  await pass(80);
  await server.answer({ values: { originViewers: 3 }, streams: [cam] });
  expect(samples).toMatchObject([{ timeMs: 1_001_040, values: { originViewers: 3 }, streams: [cam] }]);
  expect(samples[0]?.values.originResponseMs).toBe(samples[0]?.responseMs);
  expect(samples[0]?.responseMs).toBe(80);
});

it('skips polls while a response is pending', async () => {
  const { pass, server, samples } = watched();
  await pass(700 + 3000);
  expect(server.pollCount).toBe(1);
  await server.answer({ values: {}, streams: [] });
  expect(samples[0]?.timeMs).toBe(1_001_000 + 1500);
  await pass(1000);
  expect(server.pollCount).toBe(2);
});

it('reports a problem once, and its end once', async () => {
  const { pass, server, problems, samples } = watched();
  for (let tick = 0; tick < 2; tick += 1) {
    await pass(1000);
    await server.fail(new FullhouseError('refused', 'Edge 1: nothing listens.'));
  }
  await pass(1000);
  await server.fail(new TypeError('x is not a function'));
  for (let tick = 0; tick < 2; tick += 1) {
    await pass(1000);
    await server.answer({ values: {}, streams: [] });
  }
  expect(problems).toEqual(['Edge 1: nothing listens.', "Edge 1 can't be read: x is not a function.", undefined]);
  expect(samples).toHaveLength(2);
});

it('polls only while there are listeners, and not after close', async () => {
  const { pass, server, samples, adapter, off } = watched();
  off();
  off();
  await pass(3000);
  expect(server.pollCount).toBe(0);
  adapter.onSample((sample) => samples.push(sample));
  await pass(1000);
  expect(server.pollCount).toBe(1);
  adapter.close();
  await server.answer({ values: {}, streams: [cam] });
  await pass(3000);
  expect(server.pollCount).toBe(1);
  expect(samples).toEqual([]);
});

it('returns the streams of the last poll, and polls when there was none', async () => {
  const { pass, server, adapter } = watched();
  const first = adapter.streams();
  await server.answer({ values: {}, streams: [cam] });
  expect(await first).toEqual([cam]);
  await pass(1000);
  await server.answer({ values: {}, streams: [] });
  expect(await adapter.streams()).toEqual([]);
  await pass(1000);
  await server.fail(new Error('gone'));
  const pollCount = server.pollCount;
  const again = adapter.streams();
  expect(server.pollCount).toBe(pollCount + 1);
  await server.answer({ values: {}, streams: [cam] });
  expect(await again).toEqual([cam]);
});

it('reports the current capabilities of a server, not the initial ones', () => {
  const server = testServer();
  let terminate = false;
  const changing = Object.defineProperty(server, 'capabilities', {
    get: () => ({ publish: [], pull: [], play: [], serves: [], measure: [], terminate }),
  });
  const adapter = polledAdapter(changing, { clock: new VirtualTime().clock, who: 'Edge 1' });
  expect(adapter.capabilities.terminate).toBe(false);
  terminate = true;
  expect(adapter.capabilities.terminate).toBe(true);
});

it('rejects calls that the family does not support', async () => {
  const { adapter } = watched();
  for (const call of [adapter.terminate('cam'), adapter.unpublish('cam'), adapter.publishSample('cam', 'sample-240p')])
    await expect(call).rejects.toMatchObject({
      code: 'not-possible',
      message: expect.stringContaining('Edge 1') as string,
    });
});

it('polls once per interval although a timer fires early', async () => {
  const { clock, pass } = new VirtualTime(1_000_300);
  const server = testServer();
  const adapter = polledAdapter(server, { clock: firesEarly(clock, 5), who: 'media' });
  const times: number[] = [];
  adapter.onSample(({ timeMs }) => times.push(timeMs));
  for (let ms = 0; ms < 5000; ms += 1) {
    await pass(1);
    await server.answer({ values: {}, streams: [] });
  }
  const gaps = times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0));
  expect(times.length).toBeGreaterThan(3);
  expect(Math.min(...gaps)).toBeGreaterThan(500);
});
