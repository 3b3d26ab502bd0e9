import { describe, expect, it } from 'vitest';
import type { RunView } from '../model/run';
import { story, even, gib, resource } from '../../../tests/support/estimateStory';
import { estimateLines } from './estimateTable';
import { isAnswered, whatIf } from './whatIf';
import { whatIfSentences } from './whatIfText';

const chrome = [{ node: 'origin', timeMs: 0, programs: [{ name: 'chrome', percent: 30 }] }];

describe('an estimate on a machine that other programs use', () => {
  it('subtracts what they used, and says so', () => {
    const others = (second: number): number => 35 + ((second * 5) % 11);
    const estimate = story({
      origin: (viewers, second) => {
        const own = even(viewers, second);
        return { ...own, cpuPercent: (own.cpuPercent ?? 0) + others(second), otherCpuPercent: others(second) };
      },
    });
    expect(resource(estimate, 'hostCpu').perViewer.value).toBeCloseTo(0.2, 2);
    expect(resource(estimate, 'hostCpu').idle.value).toBeCloseTo(8.2, 0);
    expect(estimate.sentence).toMatch(
      /^≈ 3[56]0 viewers .* The machine of edge-1 was busy: other programs used 4\d % of its CPU; the estimate is without that\.$/,
    );
    expect(estimate.otherPrograms?.cpuPercent).toBeCloseTo(40, 0);
    expect(estimateLines(estimate)[0]).toBe(estimate.sentence);
  });

  it('refuses where they left too little, and names them', () => {
    const estimate = story({
      origin: (viewers, second) => ({ ...even(viewers, second), cpuPercent: 100, otherCpuPercent: 90 }),
      over: { otherLoad: chrome },
    });
    expect(estimate.resources).toEqual([]);
    expect(estimate.ceiling).toBeUndefined();
    expect(estimate.sentence).toMatch(
      /this run held none outside of 9\d s on a busy machine\. The machine of edge-1 was busy: other programs used 90 % of its CPU/,
    );
    expect(estimate.otherPrograms).toMatchObject({ excludedSeconds: expect.any(Number) as number });
  });

  it('excludes only the seconds in which the machine was busy', () => {
    const estimate = story({
      holdSeconds: 20,
      origin: (viewers, second) => {
        const own = even(viewers, second);
        const isBusy = second >= 30 && second < 36;
        return { ...own, ...(isBusy ? { cpuPercent: 100 } : {}), otherCpuPercent: isBusy ? 80 : 1 };
      },
    });
    expect(resource(estimate, 'hostCpu').perViewer.value).toBeCloseTo(0.2, 2);
    expect(estimate.otherPrograms).toMatchObject({ excludedSeconds: 6 });
    expect(estimate.notes.join()).toContain('other programs kept a machine of the test busy');
  });

  it('takes memory that others allocated meanwhile as no cost of viewers', () => {
    const mib = 2 ** 20;
    const estimate = story({
      origin: (viewers, second) => ({
        ...even(viewers, second),
        memoryUsedBytes: 2 * gib + 14.9 * mib * viewers,
        processMemoryBytes: 30 * mib + 0.04 * mib * viewers + ((second * 13) % 5) * 1000,
      }),
    });
    expect(resource(estimate, 'memory').perViewer.value / mib).toBeCloseTo(0.04, 2);
    expect(estimate.ceiling?.resource).toBe('hostCpu');
  });

  it('needs no CPU above all of it, nor below nothing, at 0 viewers', () => {
    const full = story({ origin: (_, second) => ({ cpuPercent: 99 + ((second * 7) % 5) / 2 }) });
    const { idle } = resource(full, 'hostCpu');
    expect(Math.max(idle.value, idle.high)).toBeLessThanOrEqual(100);
    const none = story({ origin: (viewers) => ({ cpuPercent: Math.max(0, 0.4 * viewers - 1) }) });
    expect(resource(none, 'hostCpu').idle.low).toBe(0);
  });
});

describe('an interval wider than its value', () => {
  const noisy = story({
    origin: (viewers, second) => ({ cpuPercent: 20 + 0.25 * viewers + ((second * 7919) % 23) - 11 }),
  });

  it('is no answer', () => {
    expect(resource(noisy, 'hostCpu').vague).toBeDefined();
    expect(noisy.ceiling).toBeUndefined();
    expect(noisy.sentence).toMatch(
      /^Not enough data: host CPU of edge-1 would reach its threshold at ≈ \d+ viewers \(\d+ (to|or) .*\), an interval wider than its value\. Hold more or larger sizes/,
    );
  });

  it('does not answer a question about an audience either', () => {
    const target = { viewers: 1000, cores: 16 };
    const answer = whatIf(noisy, target);
    expect(isAnswered(answer)).toBe(false);
    expect(answer.needs).toMatchObject([{ id: 'cpu', verdict: 'vague' }]);
    expect(whatIfSentences(answer, target)[0]).toMatch(
      /^For 1,000 viewers: not enough data for the CPU \([\d.]+ to [\d.]+ cores\)\.$/,
    );
    expect(whatIfSentences(answer, target).join()).not.toContain('sufficient');
    expect(isAnswered(whatIf(story({}), target))).toBe(true);
  });
});

it('says why a calibration was stopped', () => {
  const sentence = 'Stop condition reached: CPU of edge-1 was over 70 % for 5 s, last 93 %.';
  const verdict: RunView['verdict'] = {
    ...{ verdict: 'inconclusive', sentence: 'Inconclusive.', headroom: [] },
    reasons: [{ number: 1, sentence, expected: 'stop at CPU > 70 % for 5 s', timeMs: 0 }],
  };
  expect(story({ sizes: [8], over: { verdict } })).toMatchObject({ stopped: sentence });
  expect(story({ sizes: [8], over: { verdict } }).sentence).toMatch(
    /this run held only 8 viewers .* Stop condition reached/,
  );
  expect(story({ over: { verdict } }).sentence).toContain(sentence);
  const stopped: RunView['verdict'] = { ...verdict, verdict: 'stopped', sentence: 'Stopped at 00:00:20.', reasons: [] };
  expect(story({ sizes: [8], over: { verdict: stopped } }).stopped).toBe('Stopped at 00:00:20.');
});
