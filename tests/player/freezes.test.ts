import { afterAll, expect, it } from 'vitest';
import { clipMime } from '../../src/domain/model/run';
import type { SeriesId } from '../../src/domain/series/series';
import { openRunLibrary, type RunReader } from '../../src/engine/store';
import { WebmReader } from '../../src/renderer/player/clips/webmReader';
import { until } from '../e2e/app';
import { cleanUp, later, planOf, waitForRun } from '../integration/support';
import { RealPlayer } from './realPlayer';

afterAll(cleanUp);

/** Of `npm run bench freezes`; enough here to see whether it works. */
const freezes = Number(process.env['FULLHOUSE_FREEZES'] ?? 2);
const freezeMs = 700;

it(
  'sees a freeze in the same second as browser viewers and audience',
  async ({ task }) => {
    const player = await RealPlayer.open();
    const hold = { ratePerSecond: 20, holdMs: 10_000 + freezes * 5000 };
    const viewers = 20;
    const { node, stream } = { node: 'lab', stream: 'freezing' };
    const publish = [{ stream, node, source: 'sample-240p' }];
    const plan = planOf(
      { from: node, by: ['local'], stream, viewers, ...hold, browserViewers: 2 },
      { nodes: { lab: { server: 'lab' }, local: { tester: 'local' } }, publish },
    );
    const end = waitForRun(player.engine, ({ state }) => state === 'ended', 60_000 + hold.holdMs);
    const { run } = await player.engine.client.call('runs.start', { plan });
    const { startedMs } = await waitForRun(player.engine, ({ figures }) => figures.connected === viewers);
    await player.page.evaluate(
      ([id, runStartedMs]) => {
        window.playerPage.engine.recordsReal = true;
        Object.assign(window.playerPage.props, {
          node: { id: 'lab', name: 'lab' },
          stream: 'freezing',
          runId: id,
          runStartedMs,
        });
      },
      [run, startedMs] as const,
    );
    await until('the control player', async () => (await player.shows('player-fps')).startsWith('2'));
    await waitForRun(player.engine, ({ browserViewers }) => (browserViewers?.watched ?? 0) > 0);
    const pausedMs: number[] = [];
    for (let index = 0; index < freezes; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      pausedMs.push(Date.now());
      await player.engine.client.call('lab.conditions', { stream, lossPercent: 100, noRepair: true });
      await new Promise((resolve) => setTimeout(resolve, freezeMs));
      await player.engine.client.call('lab.conditions', { stream, lossPercent: 0, noRepair: false });
    }
    await end;
    const reader = openRunLibrary(player.engine.folder).open(run);
    later(() => reader.close());
    const seen = freezeTimes(reader);
    // Decoders continue at the next keyframe only, and each reports once a second at its own time.
    const reportedMs = pausedMs.map((atMs) =>
      Object.fromEntries(
        Object.entries(seen).map(([by, times]) => {
          const first = times.find((timeMs) => timeMs >= atMs && timeMs < atMs + freezeMs + 3000);
          return [by, first === undefined ? null : Math.round(first - atMs)] as const;
        }),
      ),
    );
    Object.assign(task.meta, { freezes: reportedMs });
    const known = { reportedMs, counted: countedFreezes(reader, viewers) };
    expect(
      reportedMs.flatMap((ms) => Object.values(ms)),
      JSON.stringify(known),
    ).not.toContain(null);
    expectSameFreezes(known.counted);
    await expectClips(reader, player, pausedMs);
  },
  120_000 + freezes * 6000,
);

/** Freezes by W3C's rule: of a viewer those that agents count, of the others those of Chromium's getStats. */
type CountedFreezes = Readonly<Record<'player' | 'browsers' | 'viewer', number | undefined>>;

function countedFreezes(reader: RunReader, viewers: number): CountedFreezes {
  const last = (node: string, series: SeriesId): number | undefined => reader.values(node, series).value.at(-1);
  return {
    player: last('lab', 'playerFreezeCount'),
    browsers: last('lab', 'browserFreezeCount'),
    viewer: (last('local', 'freezeCountTotal') ?? NaN) / viewers,
  };
}

/** Each viewer as many as the control player. */
function expectSameFreezes(counted: CountedFreezes): void {
  const sentence = JSON.stringify(counted);
  expect(counted.player, sentence).toBeGreaterThanOrEqual(freezes);
  expect(counted.browsers, sentence).toBeGreaterThanOrEqual(freezes);
  // A busy machine delays a frame for some.
  expect(Math.abs((counted.viewer ?? NaN) - (counted.player ?? NaN)), sentence).toBeLessThanOrEqual(1 + freezes / 10);
}

/** Each freeze is in a clip, in which the picture stands for as long as it did in the player. */
async function expectClips(reader: RunReader, { page }: RealPlayer, pausedMs: readonly number[]): Promise<void> {
  const clips = reader.stills().filter(({ mime }) => mime === clipMime);
  const known = { pausedMs, clips, events: reader.events().filter(({ kind }) => kind === 'player') };
  expect(clips.length, JSON.stringify(known)).toBe(pausedMs.length);
  for (const [index, { id, timeMs, cause }] of clips.entries()) {
    expect(Math.abs(timeMs - (pausedMs[index] ?? 0))).toBeLessThan(1000);
    const { data } = reader.stillData(id);
    const frames = new WebmReader().push(data).filter(({ track }) => track.kind === 'video');
    const gaps = frames.slice(1).map((frame, at) => ({ fromMs: frames[at]?.timeMs ?? 0, toMs: frame.timeMs }));
    const gap = gaps.reduce((longest, gap) => (gap.toMs - gap.fromMs > longest.toMs - longest.fromMs ? gap : longest));
    const [, lengthS, atS] = /^stall ([\d.]+) s, at 0:(\d+) of the clip$/.exec(cause) ?? [];
    expect(Math.abs(gap.toMs - gap.fromMs - 1000 * Number(lengthS)), cause).toBeLessThan(300);
    expect(Math.abs(gap.fromMs - 1000 * Number(atS)), cause).toBeLessThan(800);
    // Before, twice during, and after the freeze.
    const timesS = [gap.fromMs - 1000, gap.fromMs + 100, gap.toMs - 100, gap.toMs + 1000].map((ms) => ms / 1000);
    const base64 = Buffer.from(data).toString('base64');
    const { durationS, changed } = await page.evaluate(([file, times]) => window.playerPage.playClip(file, times), [
      base64,
      timesS,
    ] as const);
    expect(durationS).toBeGreaterThan(gap.toMs / 1000 + 1);
    expect(durationS).toBeLessThan(12);
    const [before = 0, during, after = 0] = changed;
    expect(during, cause).toBe(0);
    expect(Math.min(before, after), cause).toBeGreaterThan(0.001);
  }
}

/** When control player, browser viewers and audience reported a freeze. */
function freezeTimes(reader: RunReader): Readonly<Record<string, readonly number[]>> {
  const rises = (node: string, series: SeriesId, by: number): number[] => {
    const { timeMs, value } = reader.values(node, series);
    return timeMs.filter((_, index) => (value[index] ?? 0) - (value[index - 1] ?? 0) >= by);
  };
  return {
    player: rises('lab', 'playerFreezes', 1),
    browsers: rises('lab', 'browserFreezes', 1),
    // Of twenty viewers; a few may report it a second later.
    audience: rises('local', 'stallsTotal', 10),
  };
}
