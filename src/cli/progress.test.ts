import { describe, expect, it } from 'vitest';
import type { NodeView } from '../domain/model/node';
import type { RunView } from '../domain/model/run';
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
    rateTarget: 200,
    rateAchieved: 198,
  },
  failures: [],
  readOnly: false,
};

it('shows how many viewers are connected', () => {
  const [bar, time, counts] = progressLines(run, { value: 41.2, timeMs: 4500 }, 5000);
  expect(bar).toContain('500 / 1,000 viewers');
  expect(bar?.match(/#/g)).toHaveLength(15);
  expect(time).toBe('00:00:05 ramp, 00:01:00 left');
  expect(counts).toContain('origin counts –');
});

it('shows the result of a limit search so far', () => {
  const limit = {
    state: 'searching',
    repeats: 0,
    trials: [],
    sentence: '200 viewers passed, 400 failed.',
  } as const;
  expect(progressLines({ ...run, limit }, undefined, 5000)).toContain('limit: 200 viewers passed, 400 failed.');
});

it('marks figures that are old', () => {
  const node = (id: string, state: NodeView['state'], lastSampleMs: number): NodeView => ({
    ...{ id, name: id, state, lastSampleMs, streams: [], colourSlot: 0, reach: 'ssh', host: 'h' },
    role: id === 'o' ? 'origin' : 'tester',
  });
  const lines = (origin: NodeView, tester: NodeView): string =>
    progressLines({ ...run, nodes: [origin, tester] }, { value: 12, timeMs: 70_000 }, 72_000).join('\n');
  expect(lines(node('o', 'live', 71_000), node('a', 'live', 71_200))).not.toContain('old');
  const silent = lines(node('o', 'stale', 57_000), node('a', 'stale', 60_000));
  expect(silent).toContain('connected 500/1,000 (12 s old)');
  expect(silent).toContain('origin counts – (15 s old)');
  expect(silent).toContain('origin CPU 12.0 %');
  expect(silent).not.toContain('CPU 12.0 % (');
  // Its host still responds, its agent does not.
  expect(lines(node('o', 'live', 71_000), node('a', 'stale', 71_900))).toContain('connected 500/1,000 (old)');
  expect(progressLines(run, { value: 12, timeMs: 60_000 }, 72_000).join()).toContain('CPU 12.0 % (12 s old)');
});

describe('progress', () => {
  const shown = (isTTY: boolean): { text: () => string; progress: Progress; pass: (ms: number) => void } => {
    let text = '';
    let nowMs = 10_000;
    const output = { isTTY, columns: 60, write: (more: string) => (text += more) };
    return { text: () => text, progress: new Progress(output, () => nowMs), pass: (ms) => (nowMs += ms) };
  };

  it('escapes server text for the terminal', () => {
    for (const isTTY of [false, true]) {
      const { text, progress } = shown(isTTY);
      const sentence = 'refused: \u001b[2Jall in\r\n0:09  origin: fine \u202e';
      progress.event({ timeMs: 1000, who: 'origin', kind: 'failure', mark: 'limit', id: 1, sentence }, 0);
      expect(text()).toBe('00:00:01  origin: refused: ␛[2Jall in␍␊0:09  origin: fine <U+202E>\n');
    }
  });

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
