import { expect, it } from 'vitest';
import { between, judge, viewOf } from '../../../tests/support/verdictRun';
import { figuresOfHistogram } from '../distribution/heatmap';
import { Histogram } from '../distribution/histogram';
import type { DelayExpectation } from '../model/plan';
import type { RunView } from '../model/run';
import { runDelay } from '../run/runDelay';
import type { DistributionId } from '../series/distributions';

const p95: DelayExpectation = { stat: 'p95', valueMs: 500 };

/** A run whose viewers had these delays, by method. */
function runWith(
  delays: Readonly<Partial<Record<DistributionId, readonly number[]>>>,
  delay: readonly DelayExpectation[] = [p95],
): RunView {
  const view = viewOf();
  const distributions = Object.entries(delays).map(([id, values]) =>
    figuresOfHistogram(id as DistributionId, Histogram.of(values)),
  );
  return { ...view, plan: { ...view.plan, delay }, figures: { ...view.figures, distributions } };
}

const of = (count: number, delayMs: number): readonly number[] => Array.from({ length: count }, () => delayMs);

it('judges a percentile over the run by the clock in the picture first', () => {
  const all = { senderReportDelayMs: of(10, 20), captureDelayMs: of(10, 900), glassToGlassMs: of(10, 420) };
  const verdict = judge({}, runWith(all));
  expect(verdict.verdict).toBe('pass');
  expect(verdict.headroom).toContain(
    'Delay p95 by the clock in the picture: 420 ms, limit 500 ms (10 frames of browser viewers and the control player).',
  );
});

it.each([
  ['capture times', { senderReportDelayMs: of(10, 20), captureDelayMs: of(10, 900), liveLatencyMs: of(10, 10) }],
  ['sender reports', { senderReportDelayMs: of(10, 900), liveLatencyMs: of(10, 10) }],
  ['times of day in the playlist', { liveLatencyMs: of(10, 900), jitterMs: of(10, 1) }],
])('falls back to %s, and says so', (by, delays) => {
  expect(judge({}, runWith(delays)).reasons[0]?.sentence).toBe(
    `Delay p95 by ${by} was 900 ms over the run, more than its limit of 500 ms (10 readings of the testers' viewers).`,
  );
});

it('fails with the worst second, and judges each percentile by itself', () => {
  const delays = [...of(90, 400), ...of(10, 800)];
  const view = runWith({ glassToGlassMs: delays }, [{ stat: 'p50', valueMs: 500 }, p95]);
  const verdict = judge({ 'origin glassToGlassP95Ms': between(30, 32, 812, 400) }, view);
  expect(verdict).toMatchObject({ verdict: 'fail', reasons: [{ series: 'glassToGlassP95Ms' }] });
  expect(verdict.reasons[0]?.sentence).toBe(
    'Delay p95 by the clock in the picture was 800 ms over the run, more than its limit of 500 ms; at 00:00:30 it was 812 ms (100 frames of browser viewers and the control player).',
  );
  const measured = verdict.findings?.filter(({ series }) => series !== undefined);
  expect(measured?.map(({ result, measured: value }) => [result, value])).toEqual([
    ['met', expect.closeTo(400, -1)],
    ['failed', expect.closeTo(800, -1)],
  ]);
});

it('is inconclusive without a measurement', () => {
  const verdict = judge({}, runWith({ jitterMs: of(10, 900) }));
  expect(verdict).toMatchObject({ verdict: 'inconclusive', reasons: [{ expected: 'expected p95 <= 500 ms' }] });
  expect(verdict.reasons[0]?.sentence).toMatch(/^Delay p95 was not measured: no clock in a picture was read, /);
});

/** As recorded: with the seconds in which there were any, and with the audience where there are several. */
const figures = (distribution: DistributionId, delayMs: number, seconds: number, audience?: number) => ({
  ...figuresOfHistogram(distribution, Histogram.of(of(10, delayMs)), audience),
  seconds,
});

function runOf(...distributions: ReturnType<typeof figures>[]): RunView {
  const view = runWith({});
  return { ...view, figures: { ...view.figures, distributions } };
}

it('does not judge all viewers by a second of the control player', () => {
  const verdict = judge({}, runOf(figures('glassToGlassMs', 900, 1), figures('captureDelayMs', 200, 60)));
  expect(verdict.verdict).toBe('pass');
  expect(verdict.headroom).toContain(
    "Delay p95 by capture times: 200 ms, limit 500 ms (10 readings of the testers' viewers in 60 s).",
  );
  const both = runOf(figures('glassToGlassMs', 900, 31), figures('captureDelayMs', 200, 60));
  expect(judge({}, both).verdict).toBe('fail');
});

it('is inconclusive if less than half of the hold was measured', () => {
  const verdict = judge({}, runOf(figures('glassToGlassMs', 100, 29)));
  expect(verdict.verdict).toBe('inconclusive');
  expect(verdict.reasons[0]?.sentence).toBe(
    'Delay p95 by the clock in the picture was measured for too short a time: 10 frames of browser viewers and the control player in 29 s of 60 s; half of them are needed.',
  );
  expect(judge({}, runOf(figures('glassToGlassMs', 100, 30))).verdict).toBe('pass');
});

it('judges each audience by its best method', () => {
  const view = runOf(
    ...[figures('glassToGlassMs', 100, 60), figures('captureDelayMs', 800, 60)],
    ...[
      figures('glassToGlassMs', 100, 60, 1),
      figures('captureDelayMs', 50, 60, 1),
      figures('captureDelayMs', 900, 60, 2),
    ],
  );
  const pull = view.plan.pull!;
  const two = { ...view, plan: { ...view.plan, also: [{ ...pull, stream: 'other' }] } };
  const findings = judge({}, two).findings?.filter(({ series }) => series !== undefined) ?? [];
  expect(findings.map(({ result, series, audience }) => [result, series, audience])).toEqual([
    ['met', 'glassToGlassP95Ms', 'WHEP cam'],
    ['failed', 'captureDelayP95Ms', 'WHEP other'],
  ]);
  // Of the whole run by the one that measured both.
  expect(runDelay(two.figures)).toMatchObject({ method: { by: 'capture times' } });
});

it('is excused by a tester at its own limit, whoever displayed the frames', () => {
  const slow = figures('glassToGlassMs', 900, 60);
  const curves = { 'origin glassToGlassP95Ms': () => 900 };
  expect(judge(curves, runOf(slow)).verdict).toBe('fail');
  expect(
    judge({ ...curves, 'tester processCpuPercent': () => 99, 'tester cpuPercent': () => 99 }, runOf(slow)),
  ).toMatchObject({ verdict: 'inconclusive' });
});
