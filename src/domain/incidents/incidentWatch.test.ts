import { beforeEach, describe, expect, it } from 'vitest';
import type { StreamFinding } from '../node/streamCheck';
import type { SeriesId } from '../series/series';
import { inOrder, type Incident, type IncidentChange } from './incident';
import { IncidentWatch } from './incidentWatch';
import type { NodeFacts } from './nodeFacts';
import { alertRules, defaultRules, type AlertRule } from './rules';

const startMs = Date.UTC(2027, 0, 11);
const minuteMs = 60_000;
let watch: IncidentWatch;
let nowMs: number;
let changes: IncidentChange[];
beforeEach(() => {
  watch = new IncidentWatch(defaultRules);
  nowMs = startMs;
  changes = [];
});

const facts = (over: Partial<NodeFacts> = {}): NodeFacts => ({
  ...{ id: 'origin', role: 'origin', state: 'live', host: 'host a', lastSampleMs: nowMs, memoryBytes: 100 },
  ...over,
});

/** Seconds in which the nodes and their figures stay as they are. */
function pass(
  seconds: number,
  nodes: () => readonly NodeFacts[],
  values: Partial<Record<SeriesId, number>> = {},
): void {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += 1000;
    changes.push(...watch.observe(nodes(), nowMs));
    for (const node of nodes())
      for (const [series, value] of Object.entries(values))
        changes.push(
          ...watch.samples([{ timeMs: nowMs, node: node.id, series: series as SeriesId, value: value ?? 0 }]),
        );
  }
}

const all = (): readonly Incident[] => inOrder(watch.incidents);
const kinds = (): readonly string[] => all().map(({ kind }) => kind);

describe('a limit', () => {
  const cpu = (seconds: number, value: number): void => pass(seconds, () => [facts()], { cpuPercent: value });

  it('is broken after its time, from its first value beyond on, and over once it is kept with some distance', () => {
    cpu(60, 95);
    expect(all()).toEqual([]);
    cpu(2, 97);
    expect(all()).toMatchObject([{ beganMs: startMs + 1000, worst: 97, node: 'origin' }]);
    // Within the limit, but close to it.
    cpu(120, 85);
    expect(all()[0]?.endedMs).toBeUndefined();
    cpu(40, 40);
    expect(all()).toMatchObject([
      { endedMs: startMs + 183_000, ended: 'CPU of origin was above 90 % for 3 min 2 s; peak 97 %.' },
    ]);
    expect(changes.map(({ change }) => change)).toEqual(['opened', 'resolved']);
  });

  it('is neither broken nor kept in a time without values', () => {
    cpu(40, 95);
    nowMs += 10 * minuteMs;
    cpu(15, 95);
    expect(all()).toEqual([]);
    cpu(20, 95);
    expect(kinds()).toEqual(['level']);
    cpu(5, 20);
    nowMs += 60 * minuteMs;
    cpu(5, 20);
    expect(all()[0]?.endedMs).toBeUndefined();
  });

  it('of a host is one incident for all of its nodes', () => {
    pass(70, () => [facts(), facts({ id: 'tester', role: 'tester' })], { cpuPercent: 99 });
    expect(all()).toMatchObject([{ nodes: ['origin', 'tester'], count: 1 }]);
  });

  it('can be for a lower limit of one node, with an own value from which on it is kept', () => {
    const rule = {
      name: 'few',
      kind: 'level',
      series: 'originViewers',
      below: 10,
      clearAbove: 50,
      forMs: 5000,
    } as const;
    watch = new IncidentWatch([{ ...rule, severity: 'critical', nodes: { node: 'origin' } }]);
    const nodes = () => [facts(), facts({ id: 'other', host: 'host b' })];
    pass(10, nodes, { originViewers: 3 });
    pass(20, nodes, { originViewers: 49 });
    expect(all()).toMatchObject([{ nodes: ['origin'], severity: 'critical', worst: 3 }]);
    expect(all()[0]?.endedMs).toBeUndefined();
    pass(20, nodes, { originViewers: 50 });
    expect(all()[0]?.ended).toContain('minimum 3');
  });

  it('ends with its rule', () => {
    cpu(70, 99);
    watch.setRules(
      defaultRules.map((rule) => (rule.name === 'cpu-high' ? { ...rule, isOff: true } : rule)),
      nowMs,
    );
    expect(all()).toMatchObject([{ ended: 'The rule was switched off or changed.' }]);
    cpu(70, 99);
    expect(all()).toHaveLength(1);
  });
});

it('says how long the disk of a host lasts, and when it no longer runs out', () => {
  let freeBytes = 50e9;
  const fill = (minutes: number, bytesPerSecond: number): void => {
    for (let minute = 0; minute < minutes; minute += 1) {
      pass(60, () => [facts()], { diskFreeBytes: freeBytes });
      freeBytes -= 60 * bytesPerSecond;
    }
  };
  fill(15, 1e6);
  expect(all()).toEqual([]);
  fill(15, 20e6);
  expect(all()).toMatchObject([{ kind: 'disk-running-out', severity: 'warning' }]);
  expect(all()[0]?.began).toMatch(/^Disk of origin is used up in \d+ min/);
  expect(all()[0]?.endedMs).toBeUndefined();
  fill(15, 0);
  expect(all()[0]?.ended).toMatch(/^Disk of origin was running out for \d+ min/);
});

describe('a lost node', () => {
  const lost = (over: Partial<NodeFacts> = {}): NodeFacts =>
    facts({ state: 'failed', problem: 'origin: connections were refused.', ...over });

  it('has its reason and its length', () => {
    pass(5, () => [facts()]);
    pass(100, () => [lost()]);
    expect(all()[0]?.began).toBe('origin stopped responding: connections were refused.');
    pass(1, () => [facts()]);
    expect(all()).toMatchObject([{ ended: 'origin did not respond for 1 min 40 s.', severity: 'critical' }]);
  });

  it('that never responded since the start is said to', () => {
    pass(35, () => [lost()]);
    expect(all()[0]?.began).toBe("origin can't be reached since the console started: connections were refused.");
  });

  it('is none while it is slow, starting or stopped by a person', () => {
    pass(5, () => [facts()]);
    pass(4, () => [facts({ state: 'stale', lastSampleMs: startMs + 5000 })]);
    pass(60, () => [facts({ state: 'starting' })]);
    pass(60, () => [facts({ state: 'idle' })]);
    expect(all()).toEqual([]);
  });

  it('on another host at another time or for another reason is another incident', () => {
    const nodes = (down: number) =>
      [facts(), facts({ id: 'b', host: 'host b' }), facts({ id: 'c', host: 'host c' })].map((each, place) =>
        place < down
          ? { ...each, state: 'failed' as const, problem: place === 1 ? 'b: its key changed.' : `${each.id}: gone.` }
          : each,
      );
    pass(5, () => nodes(0));
    pass(60, () => nodes(1));
    pass(60, () => nodes(2));
    pass(60, () => nodes(3));
    expect(kinds()).toHaveLength(3);
  });

  it('is one incident with a reboot of its host and the new process of its server', () => {
    const before = { boot: 'a', processes: [{ pid: 1, startedAt: 1 }] };
    pass(5, () => [facts(before)]);
    pass(30, () => [lost()]);
    pass(5, () => [facts({ boot: 'b' })]);
    pass(5, () => [facts({ boot: 'b', processes: [{ pid: 2, startedAt: 9 }] })]);
    expect(all()).toMatchObject([{ kind: 'node-lost', count: 1 }]);
    expect(all()[0]?.began).toContain('The host of origin was rebooted.');
  });

  it('was removed: nothing lasts that cannot end', () => {
    pass(5, () => [facts()]);
    pass(30, () => [lost()]);
    pass(1, () => []);
    expect(all()).toMatchObject([{ ended: 'The node was removed.' }]);
  });
});

describe('the console', () => {
  const restarted = (): void => {
    watch = new IncidentWatch(defaultRules, JSON.parse(JSON.stringify(watch.incidents)) as readonly Incident[]);
  };
  const closedFor = (ms: number): void => {
    const fromMs = nowMs;
    nowMs += ms;
    restarted();
    watch.unwatched(fromMs, nowMs);
  };

  it.each([
    ['still lasts', 100, undefined],
    ['is over', 10, 'CPU of origin was above 90 %'],
  ])('that was closed continues what %s', (_, value, ended) => {
    pass(70, () => [facts()], { cpuPercent: 99 });
    const closedMs = nowMs;
    closedFor(60 * minuteMs);
    pass(70, () => [facts()], { cpuPercent: value });
    const [incident, ...more] = all();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({
      count: 1,
      beganMs: startMs + 1000,
      unwatched: [{ fromMs: closedMs, toMs: closedMs + 60 * minuteMs }],
    });
    if (ended === undefined) expect(incident?.ended).toBeUndefined();
    else expect(incident?.ended).toContain(ended);
  });

  it('that was closed invents nothing', () => {
    pass(5, () => [facts({ streams: [{ stream: 'a', hasPublisher: true }] })]);
    closedFor(8 * 60 * minuteMs);
    pass(10, () => [facts({ state: 'stale', lastSampleMs: startMs })]);
    pass(60, () => [facts({ streams: [{ stream: 'b', hasPublisher: true }] })]);
    expect(all()).toEqual([]);
  });

  it('that slept sees what is lost afterwards, from then on', () => {
    pass(5, () => [facts()]);
    const fromMs = nowMs;
    nowMs += 60 * minuteMs;
    const wokeMs = nowMs;
    watch.unwatched(fromMs, nowMs);
    pass(60, () => [facts({ state: 'stale', lastSampleMs: fromMs })]);
    expect(all()).toMatchObject([{ kind: 'node-lost', beganMs: wokeMs }]);
  });
});

describe('a person', () => {
  it('who acknowledges that a stream is gone no longer has it as lasting', () => {
    const nodes = (hasPublisher: boolean) => () => [facts({ streams: [{ stream: 'news', hasPublisher }] })];
    pass(5, nodes(true));
    pass(30, nodes(false));
    const [gone] = all();
    watch.acknowledge(gone?.id ?? '', nowMs);
    pass(60, nodes(false));
    expect(all()).toMatchObject([
      { acknowledgedMs: nowMs - 60_000, ended: 'Acknowledged: the stream is not expected back.' },
    ]);
  });

  it('who mutes an incident mutes what begins of the same cause until then', () => {
    pass(70, () => [facts()], { cpuPercent: 99 });
    const untilMs = nowMs + 120 * minuteMs;
    watch.mute(all()[0]?.id ?? '', untilMs);
    pass(60, () => [facts()], { cpuPercent: 1 });
    pass(20 * 60, () => [facts()]);
    pass(70, () => [facts()], { cpuPercent: 99 });
    expect(all().map(({ mutedUntilMs }) => mutedUntilMs)).toEqual([untilMs, untilMs]);
  });
});

it('waits for no stream that the console itself publishes', () => {
  const streams = (hasPublisher: boolean) => [{ stream: 'test', hasPublisher, isOurs: true }];
  pass(5, () => [facts({ streams: [] })]);
  pass(30, () => [facts({ streams: streams(true) })]);
  pass(30, () => [facts({ streams: streams(false) })]);
  expect(all()).toEqual([]);
});

it('keeps the newest incidents only', () => {
  watch = new IncidentWatch(defaultRules, [], { max: 10 });
  for (let version = 0; version < 30; version += 1) {
    nowMs += 20 * minuteMs;
    watch.observe([facts({ software: `SRS 7.${version}` })], nowMs);
  }
  expect(watch.incidents).toHaveLength(10);
  expect(watch.incidents.at(-1)?.began).toBe('The version of origin changed from SRS 7.28 to SRS 7.29.');
});

describe('rules', () => {
  const rule: AlertRule = { name: 'a', kind: 'level', series: 'cpuPercent', above: 90, forMs: 0, severity: 'info' };
  it.each([
    [{ ...rule, above: undefined }, 'either above or below'],
    [{ ...rule, below: 1 }, 'either above or below'],
    [{ ...rule, clearBelow: 95 }, 'not higher'],
    [{ ...rule, series: 'cpu' }, 'does not exist'],
    [{ ...rule, nodes: { node: 'a', role: 'origin' } }, 'not both'],
    [{ ...rule, name: 'A rule' }, 'small letters'],
  ])('%j is refused with a sentence', (given, sentence) => {
    expect(alertRules.safeParse([given]).error?.issues[0]?.message).toContain(sentence);
  });

  it('have different names, and the default ones are valid', () => {
    expect(alertRules.safeParse([rule, rule]).success).toBe(false);
    expect(alertRules.safeParse(defaultRules).success).toBe(true);
  });
});

describe('a fault that the control player finds in its rotation', () => {
  const played = (stream: string, finding: StreamFinding): void =>
    void changes.push(...watch.playedStream('origin', stream, finding, nowMs));
  const seen = (seconds: number): void => pass(seconds, () => [facts()]);

  it('is one line until the stream is seen well, whatever is found meanwhile', () => {
    seen(5);
    for (const finding of ['fine', 'black', 'frozen', 'black'] as const) {
      played('cam', finding);
      seen(20);
    }
    expect(all()).toMatchObject([{ kind: 'picture-fault', node: 'origin', subjects: ['cam'], count: 1 }]);
    expect(all()[0]?.began).toBe('The stream cam of origin is black in the control player.');
    played('cam', 'fine');
    expect(all()).toMatchObject([{ ended: 'The stream cam of origin is fine again in the control player.' }]);
    expect(changes.map(({ change }) => change)).toEqual(['opened', 'resolved']);
  });

  it('belongs to the line of a missing publisher', () => {
    const stream = (hasPublisher: boolean) => [facts({ streams: [{ stream: 'cam', hasPublisher }] })];
    pass(5, () => stream(true));
    pass(15, () => stream(false));
    played('cam', 'no picture');
    expect(kinds()).toEqual(['publisher-gone']);
    pass(1, () => stream(true));
    expect(all()).toMatchObject([
      { endedMs: nowMs, firing: [], ended: expect.stringMatching(/without a pub/) as string },
    ]);
  });

  it('that lasts is another incident than the publisher that is gone later, which ends when it is back', () => {
    const stream = (hasPublisher: boolean) => [facts({ streams: [{ stream: 'cam', hasPublisher }] })];
    pass(5, () => stream(true));
    played('cam', 'black');
    pass(3600, () => stream(true));
    pass(15, () => stream(false));
    expect([...kinds()].sort()).toEqual(['picture-fault', 'publisher-gone']);
    pass(1, () => stream(true));
    const endOf = (kind: string): number | undefined => all().find((each) => each.kind === kind)?.endedMs;
    expect(endOf('publisher-gone')).toBe(nowMs);
    // It was black before, and may still be.
    expect(endOf('picture-fault')).toBeUndefined();
  });

  it('that was found before the publisher is reported as gone ends with it', () => {
    const stream = (hasPublisher: boolean) => [facts({ streams: [{ stream: 'cam', hasPublisher }] })];
    pass(5, () => stream(true));
    pass(5, () => stream(false));
    played('cam', 'frozen');
    pass(10, () => stream(false));
    pass(1, () => stream(true));
    expect(all().filter(({ endedMs }) => endedMs === undefined)).toEqual([]);
    expect(all()).toHaveLength(2);
  });

  it('is over when the stream was not played for a day', () => {
    seen(5);
    played('cam', 'silent');
    seen(3);
    nowMs += 86_400_000;
    seen(1);
    expect(all()[0]?.ended).toBe('Not played in the control player for a day.');
  });
});
