import { expect, it } from 'vitest';
import type { Sample } from '../../domain/series/series';
import type { BrowserViewerSecond } from '../../contract/browserViewerCalls';
import type { PullSample } from '../load/driver';
import { BrowserViewers } from './browserViewers';
import type { RunData } from './runData';
import type { BrowserHosts } from './runParts';
import type { NewEvent } from './watchers';

const window: BrowserHosts = { hasWindow: true, start: () => Promise.reject(new Error('Not needed.')) };

/** A run of 200 viewers with these figures of its audience, and what is recorded of its browser viewers. */
async function recording(
  audience: { readonly frameRate: number; readonly degraded: number },
  { hosts = window, by = 'local' }: { readonly hosts?: BrowserHosts; readonly by?: string } = {},
) {
  const samples: Sample[] = [];
  const events: NewEvent[] = [];
  const latest = {
    ...{
      connected: 200,
      state: 'holding',
      failures: [],
      values: { frameRate: audience.frameRate, firstFrameP50Ms: 90 },
    },
  } as unknown as PullSample;
  const pull = { viewers: 200, protocol: 'whep', from: 'origin', stream: 'cam', by: [by] };
  const testers = new Map([['remote', { trustHostKey: () => undefined }]]);
  const data = {
    plan: { pull },
    pulls: { latest: () => [latest] },
    headline: { figures: { connected: 200, degraded: audience.degraded } },
    log: { keep: (event: NewEvent) => events.push(event) },
    output: { emit: () => undefined },
    nodes: { get: (name: string) => testers.get(name) },
    deps: { clock: { now: () => 5000 } },
    changed: () => undefined,
  } as unknown as RunData;
  const viewers = new BrowserViewers(data, { record: (each) => samples.push(...each) }, hosts);
  await viewers.open();
  return { viewers, data, samples, events };
}

function second(number: number, more: Partial<BrowserViewerSecond> = {}): BrowserViewerSecond {
  const target = { node: 'origin', stream: 'cam', protocol: 'whep' } as const;
  const shown = { state: 'playing', firstFrameMs: 200 + number, frameRate: 25, isDegraded: false } as const;
  return { number, ...target, ...shown, stalledMs: 0, stalls: 0, ...more };
}

it('records what getStats reported, and nothing where a browser has none', async () => {
  const { viewers, samples } = await recording({ frameRate: 25, degraded: 2 });
  const valuesOf = (...figures: readonly string[]) =>
    figures.map((name) => samples.filter(({ series }) => series === name).at(-1)?.value);
  viewers.take({ viewers: [second(0)] }, 7000);
  expect(valuesOf('browserFreezeCount', 'browserJitterBufferMs')).toEqual([undefined, undefined]);
  const stats = { freezeCount: 1, freezeDurationMs: 310, pauseCount: 0, jitterBufferMs: 20, concealedPercent: 4 };
  viewers.take({ viewers: [second(0, stats), second(1)] }, 8000);
  viewers.take({ viewers: [second(0, stats), second(1, { ...stats, jitterBufferMs: 40 })] }, 9000);
  expect(valuesOf('browserFreezeCount', 'browserFreezeDurationMs', 'browserPauseCount')).toEqual([3, 930, 0]);
  expect(valuesOf('browserJitterBufferMs', 'browserConcealedPercent')).toEqual([30, 4]);
});

it('records what browser viewers displayed, and the means of both', async () => {
  const { viewers, data, samples } = await recording({ frameRate: 25, degraded: 2 });
  expect(data.browserViewers).toMatchObject({ planned: 4, by: 'window', watched: 0 });
  viewers.take(
    { viewers: [second(0), second(1, { frameRate: 20, stalledMs: 500, stalls: 1, isDegraded: true })] },
    7000,
  );
  expect(Object.fromEntries(samples.map(({ series, value }) => [series, value]))).toEqual({
    browserViewers: 2,
    browserFrameRate: 22.5,
    browserDegraded: 1,
    browserFrozenPercent: 25,
    browserFreezes: 1,
    browserFirstFrameMs: 200.5,
    browserAgreementPercent: 51,
  });
  expect(samples.every(({ timeMs, node }) => timeMs === 7000 && node === 'origin')).toBe(true);
  viewers.take({ viewers: [second(2)] }, 8000);
  expect(data.browserViewers).toEqual({
    ...{ planned: 4, by: 'window', playing: 1, watched: 3, failed: 0, freezes: 1, frozenMs: 500 },
    browsers: { frameRate: 23.75, degradedPercent: 25, firstFrameP50Ms: 201 },
    audience: { frameRate: 25, degradedPercent: 1, firstFrameP50Ms: 90 },
    agreementPercent: 75,
  });
});

it('reports a disagreement and its end, one failure, and a limit, each once', async () => {
  const { viewers, data, events } = await recording({ frameRate: 25, degraded: 0 });
  const take = (report: Parameters<BrowserViewers['take']>[0], seconds: number): void => {
    for (let each = 0; each < seconds; each += 1) viewers.take(report, 1000 * each);
  };
  take({ viewers: [second(0, { isDegraded: true }), second(1, { isDegraded: true })] }, 30);
  take({ viewers: [second(2), second(3)] }, 30);
  take({ viewers: [second(4, { state: 'failed', problem: 'origin: 503.' }), second(5)] }, 2);
  take({ viewers: [second(6)], limit: { viewers: 1, machineBusyPercent: 96 } }, 2);
  expect(events.map(({ sentence }) => sentence)).toEqual([
    'Browser viewers and audience disagree: 100 % of the browser viewers were degraded, 0 % of the audience',
    'Browser viewers and audience agree again',
    'A browser viewer could not play: origin: 503.',
    'Browser viewers reduced to 1 of 4: their machine is busy (CPU 96 %)',
  ]);
  expect(data.browserViewers).toMatchObject({ failed: 1, problem: 'origin: 503.' });
});

it('are run by a browser on the first remote tester, and by the window if it has none', async () => {
  const audience = { frameRate: 25, degraded: 0 };
  const ended: string[] = [];
  const start = ({ by }: { readonly by: string }) => Promise.resolve(() => void ended.push(by));
  const there = await recording(audience, { hosts: { hasWindow: true, start }, by: 'remote' });
  expect(there.data.browserViewers).toMatchObject({ by: 'remote', planned: 4 });
  there.viewers.close();
  there.viewers.close();
  expect(ended).toEqual(['remote']);
  const refused = () => Promise.reject(new Error('remote has no Chromium.'));
  const here = await recording(audience, { hosts: { hasWindow: true, start: refused }, by: 'remote' });
  expect(here.data.browserViewers).toMatchObject({ by: 'window' });
  expect(here.events.map(({ sentence }) => sentence)).toEqual([
    'No browser viewers on remote: remote has no Chromium.',
  ]);
});

it('are none by default where there is no window', async () => {
  const { data } = await recording({ frameRate: 25, degraded: 0 }, { hosts: { ...window, hasWindow: false } });
  expect(data.browserViewers).toBeUndefined();
});
