import { describe, expect, it } from 'vitest';
import { emptyFigures } from './figures';
import { RunWatchers, testerLimitEvents } from './watchers';

const expectations = {
  degraded: { comparison: '<=', value: 1 },
  cpu: { comparison: '<=', value: 80 },
  gcPause: { comparison: '<=', value: 10 },
} as const;

describe('monitoring', () => {
  it('reports figures: CPU', () => {
    const watchers = new RunWatchers(expectations);
    const events = [0, 1, 2, 3].flatMap((second) => watchers.originCpu(second * 1000, 'origin', 91.2, 590));
    expect(events).toEqual([
      {
        timeMs: 3000,
        kind: 'threshold',
        mark: 'limit',
        node: 'origin',
        who: 'origin',
        sentence: 'CPU over 80 % at 590 viewers: 91.2 %',
      },
    ]);
  });

  it('reports figures: degraded viewers', () => {
    const watchers = new RunWatchers(expectations);
    const figures = { ...emptyFigures(0, 1000), connected: 659, degraded: 8 };
    const events = [0, 1, 2].flatMap((second) => watchers.figures({ ...figures, timeMs: second * 1000 }));
    expect(events).toMatchObject([{ mark: 'degraded', sentence: 'Degraded viewers over 1 %: 8 of 659' }]);
  });

  it('reports a GC pause at once, and once', () => {
    const watchers = new RunWatchers(expectations);
    const events = [4, 14.2, 12, undefined].flatMap((pause, second) =>
      watchers.originGc(second * 1000, 'origin', pause, 675),
    );
    expect(events).toMatchObject([{ timeMs: 1000, sentence: 'GC pause of 14.2 ms, over 10 ms, at 675 viewers' }]);
  });

  it('ignores figures without an expectation', () => {
    const watchers = new RunWatchers({});
    expect([0, 1, 2, 3, 4].flatMap((second) => watchers.originCpu(second * 1000, 'origin', 100, 1))).toEqual([]);
    expect(watchers.originGc(0, 'origin', 500, 1)).toEqual([]);
  });
});

it('reports an origin that counts others than the testers, with the reason where sessions end later', () => {
  const differ = (timeout?: string): string[] => {
    const watchers = new RunWatchers({});
    return Array.from({ length: 12 }, (_, second) => second * 1000).flatMap((timeMs) => {
      watchers.audience(timeMs, 0, 0);
      return watchers.originViewers(timeMs, 'origin', 20, timeout).map(({ sentence }) => sentence);
    });
  };
  expect(differ()).toEqual(['Viewer counts differ: testers 0, origin 20']);
  expect(differ("HLS sessions end by the server's timeout")).toEqual([
    "Viewer counts differ: testers 0, origin 20: HLS sessions end by the server's timeout",
  ]);
});

it('reports a lost stream once, and its return', () => {
  const watchers = new RunWatchers({});
  const events = [true, true, false, false, true].flatMap((served, second) =>
    watchers.stream(second, 'origin', 'cam', served),
  );
  expect(events.map(({ mark }) => mark)).toEqual(['lost', 'recovered']);
});

it('reports once that a delay can not be measured, when that lasts, and that it can again', () => {
  const watchers = new RunWatchers({});
  const problem = 'One-way delay of cam not measured.';
  const events = Array.from({ length: 60 }, (_, second) =>
    // A single report without a problem is no end of it, as one with a problem is no start.
    watchers.clocks(second * 1000, 'tester-1', 'cam', second > 4 && second < 30 && second !== 20 ? problem : undefined),
  ).flat();
  expect(events.map(({ timeMs, who, sentence }) => [timeMs, who, sentence])).toEqual([
    [15_000, 'tester-1', problem],
    [40_000, 'tester-1', 'One-way delay of cam is measured again'],
  ]);
  expect(watchers.clocks(70_000, 'tester-2', 'cam', problem)).toEqual([]);
});

it('does not report a stream that never was live as lost', () => {
  expect([false, false].flatMap((served) => new RunWatchers({}).stream(0, 'origin', 'cam', served))).toEqual([]);
});

it('reports that a node is lost and responds again', () => {
  const watchers = new RunWatchers({});
  const events = [
    watchers.nodeState(1, 'a', 'live', 'starting'),
    watchers.nodeState(2, 'a', 'stale', 'live', 'No data from a for 4 s.'),
    watchers.nodeState(3, 'a', 'live', 'stale'),
    watchers.nodeState(4, 'a', 'failed', 'live', 'The agent was ended by SIGKILL.'),
  ].flat();
  expect(events.map(({ mark, sentence }) => [mark, sentence])).toEqual([
    ['lost', 'No data from a for 4 s.'],
    ['recovered', 'a responds again'],
    ['lost', 'The agent was ended by SIGKILL.'],
  ]);
});

it('names a node once, in its own column', () => {
  const watchers = new RunWatchers(expectations);
  const sentences = ['a: nothing responds at 10.0.0.9.', 'a has no home directory.'].flatMap((problem) =>
    watchers.nodeState(1, 'a', 'failed', 'live', problem).map(({ sentence }) => sentence),
  );
  expect(sentences).toEqual(['Nothing responds at 10.0.0.9.', 'a has no home directory.']);
});

describe('a tester at its own limit', () => {
  const limit = {
    node: 'a',
    kind: 'cpu',
    fromMs: 1000,
    viewers: 7,
    sentence: 'a was at its own limit: CPU 97 % over 5 s at 00:00:06.',
    expected: 'a tester needs CPU headroom, <= 90 %',
  } as const;

  it('is marked from start to end', () => {
    const events = testerLimitEvents(9000, [
      { state: 'began', limit },
      { state: 'ended', limit: { ...limit, toMs: 8000 } },
    ]);
    expect(events).toEqual([
      {
        timeMs: 1000,
        kind: 'threshold',
        mark: 'limit',
        node: 'a',
        who: 'a',
        sentence: 'Tester-limited: CPU 97 % over 5 s at 00:00:06.',
      },
      {
        timeMs: 8000,
        kind: 'threshold',
        mark: 'none',
        node: 'a',
        who: 'a',
        sentence: 'Tester-limited no longer: CPU headroom is back, after 7 s',
      },
    ]);
  });
});

describe('CPU over its limit', () => {
  const over = (others: { other: number; top?: { name: string; percent: number } }): string[] => {
    const watchers = new RunWatchers({ cpu: { comparison: '<=', value: 80 } });
    return [0, 1, 2, 3].flatMap((second) =>
      watchers
        .originCpu(second * 1000, 'lab', 93, 100, {
          host: 'this-machine',
          share: { stolen: 0, isMeasured: true, ...others },
        })
        .map(({ sentence, mark }) => `${mark}: ${sentence}`),
    );
  };

  it('is attributed to a machine that is busy with other programs', () => {
    expect(over({ other: 84, top: { name: 'chrome', percent: 61 } })).toEqual([
      'none: This machine is busy: other programs use 84 % of its CPU (top: chrome 61 %); CPU 93 %, over 80 %',
    ]);
  });

  it('is attributed to the origin that used it itself', () => {
    expect(over({ other: 3 })).toEqual(['limit: CPU over 80 % at 100 viewers: 93 %']);
  });
});
