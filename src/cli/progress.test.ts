import { describe, expect, it } from 'vitest';
import type { RunView } from '../domain/run';
import { emptyFigures } from '../engine/runs/figures';
import { Progress, progressLines } from './progress';

const run: RunView = {
  id: 'r',
  name: 'r',
  state: 'running',
  plan: {
    name: 'r',
    nodes: {},
    publish: [],
    pull: {
      stream: 'cam',
      from: 'o',
      by: ['a'],
      protocol: 'whep',
      viewers: 1000,
      ratePerSecond: 200,
      holdMs: 1,
    },
    expect: {},
  },
  nodes: [],
  startedMs: 0,
  endsMs: 65_000,
  phases: [{ name: 'ramp', startMs: 0 }],
  figures: {
    ...emptyFigures(0, 1000),
    connected: 500,
    failed: 3,
    degraded: 5,
    rateAsked: 200,
    rateAchieved: 198,
  },
  failures: [],
  readOnly: false,
};

it('shows how full the house is', () => {
  const [bar, time, counts] = progressLines(run, 41.2, 5000);
  expect(bar).toContain('500 / 1,000 viewers');
  expect(bar?.match(/#/g)).toHaveLength(15);
  expect(time).toBe('00:00:05 ramp, 00:01:00 left');
  expect(counts).toContain('origin counts –');
});

it('says what is known of the limit while it is looked for', () => {
  const limit = {
    state: 'searching',
    repeats: 0,
    trials: [],
    sentence: '200 viewers held, 400 did not.',
  } as const;
  expect(progressLines({ ...run, limit }, 41, 5000)).toContain('limit: 200 viewers held, 400 did not.');
});

describe('progress', () => {
  const shown = (isTTY: boolean): { text: () => string; progress: Progress; pass: (ms: number) => void } => {
    let text = '';
    let nowMs = 10_000;
    const output = { isTTY, columns: 60, write: (more: string) => (text += more) };
    return { text: () => text, progress: new Progress(output, () => nowMs), pass: (ms) => (nowMs += ms) };
  };

  it('rewrites its block on a terminal', () => {
    const { text, progress } = shown(true);
    progress.run(run);
    progress.run(run);
    expect(text()).toContain('\u001b[4A\u001b[J');
    expect(
      Math.max(
        ...text()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(70);
  });

  it('writes a line every five seconds elsewhere', () => {
    const { text, progress, pass } = shown(false);
    for (let second = 0; second < 11; second += 1) {
      progress.run(run);
      pass(1000);
    }
    expect(text().trim().split('\n')).toHaveLength(3);
  });
});
