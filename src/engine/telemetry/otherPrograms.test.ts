import { spawn } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { hostValues, waitPercent, type HostReading } from './hostRates';
import { readTree, sumOfWaits } from './localProcesses';
import { LocalTrees } from './localTrees';
import { OwnProcesses } from './ownProcesses';
import { parseProc, parseProcessStat, type ProcessStat } from './procParse';
import { programCpu } from './programCpu';

/** Two cores; ticks of `cpu` are user, nice, system, idle, iowait, irq, softirq, steal. */
const reading = (
  second: number,
  cpu: string,
  processes: ReadonlyArray<{ pid: number; cpuSeconds: number }> = [],
  ours: ReadonlyArray<{ pid: number; cpuSeconds: number }> | undefined = [],
): HostReading => {
  const { processStats: _, ...text } = parseProc([`cpu ${cpu}`, 'cpu0 1 1 1 1', 'cpu1 1 1 1 1']);
  const full = (one: { pid: number; cpuSeconds: number }) => ({
    ...one,
    startedAt: 5,
    memoryBytes: 1e8,
    threads: 1,
  });
  return {
    monotonicMs: second * 1000,
    ...text,
    memoryUsedBytes: 4e9,
    processes: processes.map(full),
    ...(ours ? { ours: ours.map(full) } : {}),
  };
};

describe('CPU of a host by user', () => {
  const lab = (cpuSeconds: number) => [{ pid: 7, cpuSeconds }];
  const agent = (cpuSeconds: number) => [{ pid: 8, cpuSeconds }];

  it('is the CPU of programs without the server under test and our agents', () => {
    // 200 ticks on two cores: 168 busy with tasks, of them 14 the lab's and 4 the agent's.
    const values = hostValues(
      reading(0, '0 0 0 0 0 0 0 0', lab(1), agent(1)),
      reading(1, '150 8 10 30 0 0 2 0', lab(1.14), agent(1.04)),
    );
    expect(values.cpuPercent).toBeCloseTo(85, 5);
    expect(values.otherCpuPercent).toBeCloseTo(84 - 7 - 2, 5);
    expect(values.otherMemoryBytes).toBe(4e9 - 2e8);
  });

  it('includes neither interrupts nor steal time', () => {
    const values = hostValues(reading(0, '0 0 0 0 0 0 0 0'), reading(1, '20 0 0 60 0 10 30 80'));
    expect(values.otherCpuPercent).toBeCloseTo(10, 5);
    expect(values.stolenCpuPercent).toBeCloseTo(40, 5);
  });

  it("is never negative, and unknown where processes can't be distinguished", () => {
    const counted = hostValues(reading(0, '0 0 0 0 0 0 0 0', lab(1)), reading(1, '10 0 0 190 0 0 0 0', lab(1.5)));
    expect(counted.otherCpuPercent).toBe(0);
    const unknown: HostReading = { ...reading(1, '10 0 0 190 0 0 0 0'), ours: undefined };
    expect(hostValues(reading(0, '0 0 0 0 0 0 0 0'), unknown).otherCpuPercent).toBeUndefined();
  });
});

describe('the console on its own machine', () => {
  const one = (pid: number, cpuSeconds: number, parentPid = 50) => ({
    ...{ pid, parentPid, cpuSeconds, startedAt: pid, memoryBytes: 1e8, threads: 1 },
  });
  const at = (second: number, cpu: string, console: HostReading['console'], ours: HostReading['ours'] = []) => ({
    ...{ ...reading(second, cpu), ours, console },
  });

  it('is not one of the other programs', () => {
    const values = hostValues(
      at(0, '0 0 0 0 0 0 0 0', [one(50, 5), one(51, 9)]),
      at(1, '100 0 0 100 0 0 0 0', [one(50, 5.2), one(51, 9.6)]),
    );
    expect(values.consoleCpuPercent).toBeCloseTo(40, 5);
    expect(values.otherCpuPercent).toBeCloseTo(10, 5);
  });

  it('counts a reader that has ended once, by what it used since the previous reading', () => {
    const values = hostValues(
      at(0, '0 0 0 0 0 0 0 0', [one(50, 5), one(52, 300)]),
      at(1, '100 0 0 100 0 0 0 0', [one(50, 305.4)]),
    );
    expect(values.consoleCpuPercent).toBeCloseTo(20, 5);
    expect(values.otherCpuPercent).toBeCloseTo(30, 5);
  });

  it('never exceeds what all programs used', () => {
    const values = hostValues(at(0, '0 0 0 0 0 0 0 0', [one(50, 5)]), at(1, '20 0 0 180 0 0 0 0', [one(50, 5.3)]));
    expect([values.consoleCpuPercent, values.otherCpuPercent]).toEqual([10, 0]);
  });

  it.runIf(process.platform === 'linux')('has the programs that it started, and not those of the test', async () => {
    const children = ['sleep 30 & wait', 'sleep 30 & wait'].map((script) =>
      spawn('sh', ['-c', script], { stdio: 'ignore' }),
    );
    try {
      const [agent = 0, reader = 0] = children.map(({ pid }) => pid);
      const trees = (): ReturnType<LocalTrees['get']> =>
        new LocalTrees(
          () => 0,
          () => [agent],
          process.pid,
        ).get();
      await vi.waitFor(() => expect(trees().ours?.length).toBe(2), { timeout: 20_000 });
      await vi.waitFor(() => expect(readTree([reader]).length).toBe(2), { timeout: 20_000 });
      const { ours = [], console = [] } = trees();
      expect(ours).toContain(agent);
      expect(console).toEqual(expect.arrayContaining([process.pid, ...readTree([reader])]));
      expect(console.filter((pid) => ours.includes(pid))).toEqual([]);
      expect(
        new LocalTrees(
          () => 0,
          () => undefined,
          process.pid,
        ).get(),
      ).toEqual({});
    } finally {
      for (const { pid } of children) for (const each of readTree([pid ?? 0])) process.kill(each, 'SIGKILL');
    }
  });
});

it('reads pressure, disks and waits from the kernel', () => {
  const text = (ms: number) => [
    `some avg10=4.75 avg60=22.06 avg300=21.41 total=${ms * 1000}`,
    'full avg10=0.00 avg60=0.00 avg300=0.00 total=0',
    `   7       0 loop0 1 0 0 0 0 0 0 0 0 9999${ms} 0 0 0 0 0 0 0`,
    ` 259       0 nvme0n1 1 0 0 0 0 0 0 0 0 ${ms / 2} 0 0 0 0 0 0 0`,
  ];
  const at = (second: number, ms: number): HostReading => {
    const { processStats: _, ...read } = parseProc(text(ms));
    return { monotonicMs: second * 1000, ...read };
  };
  const values = hostValues(at(0, 1000), at(1, 1400));
  expect(values.cpuPressurePercent).toBeCloseTo(40, 5);
  expect(values.diskBusyPercent).toBeCloseTo(20, 5);
  expect(sumOfWaits(['100 2000000 3', '', '5 1000000 1'])).toBe(3);
  expect(sumOfWaits([''])).toBeUndefined();
  const process = (waitedMs: number) => [{ pid: 7, startedAt: 5, cpuSeconds: 0, memoryBytes: 0, threads: 1, waitedMs }];
  expect(waitPercent(process(100), process(126), 1)).toBeCloseTo(2.6, 5);
  expect(waitPercent(process(100), process(90), 1)).toBeUndefined();
});

it('tracks the processes of the test by machine, for any connection', () => {
  const own = new OwnProcesses();
  own.set('lab', 'here', [7]);
  own.set('srs by ssh', 'here', [9, 7]);
  own.set('tester', 'there', [3]);
  expect(own.on('here')).toEqual([7, 9]);
  own.set('unknown server', 'there', undefined);
  expect(own.on('there')).toBeUndefined();
  own.forget('unknown server');
  expect(own.on('there')).toEqual([3]);
  expect(own.on(undefined)).toBeUndefined();
  own.setConsole('here', [50]);
  expect([own.consoleOn('here'), own.consoleOn('there'), own.consoleOn(undefined)]).toEqual([[50], [], []]);
  expect(own.on('here')).toEqual([7, 9]);
});

describe('programs that use a machine', () => {
  const stat = (pid: number, name: string, cpuTicks: number, over: Partial<ProcessStat> = {}): ProcessStat => ({
    ...{ pid, name, cpuTicks, parentPid: 1, childTicks: 0, threads: 1, startTicks: pid, residentPages: 10 },
    ...over,
  });
  const known = { cores: 2, ticksPerSecond: 100, pageBytes: 4096, ours: new Set([7]), consoleRoot: 50 };
  const shares = (before: readonly ProcessStat[], now: readonly ProcessStat[]): Array<[string, number]> =>
    programCpu({ monotonicMs: 0, stats: before }, { monotonicMs: 1000, stats: now }, known)
      .filter(({ percent }) => percent > 0)
      .map(({ name, percent }) => [name, Math.round(percent)]);

  it('are summed by name, without those of the test', () => {
    expect(
      shares(
        [stat(2, 'chrome', 100), stat(3, 'chrome', 50), stat(7, 'fullhouse-agent', 0), stat(4, 'cc1', 0)],
        [stat(2, 'chrome', 180), stat(3, 'chrome', 92), stat(7, 'fullhouse-agent', 90), stat(4, 'cc1', 20)],
      ),
    ).toEqual([
      ['chrome', 61],
      ['cc1', 10],
    ]);
  });

  it('leave out the console with its child processes, and the children of the agents', () => {
    const tree = (ticks: number): ProcessStat[] => [
      stat(50, 'electron', ticks),
      stat(51, 'electron', ticks, { parentPid: 50 }),
      stat(52, 'chrome', ticks, { parentPid: 51 }),
      stat(7, 'fullhouse-agent', ticks, { parentPid: 51 }),
      stat(8, 'ffmpeg', ticks, { parentPid: 7 }),
      stat(2, 'chrome', ticks / 2),
    ];
    expect(shares(tree(0), tree(40))).toEqual([['chrome', 10]]);
  });

  it('count short-lived children, and the last use of one that ended since the previous scan', () => {
    expect(shares([stat(2, 'make', 0, { childTicks: 500 })], [stat(2, 'make', 0, { childTicks: 660 })])).toEqual([
      ['make', 80],
    ]);
    expect(
      shares([stat(2, 'bash', 0), stat(9, 'node', 4000, { parentPid: 2 })], [stat(2, 'bash', 0, { childTicks: 4120 })]),
    ).toEqual([['node', 60]]);
  });

  it('add no time of grandchildren from before the interval when a whole branch ends', () => {
    const branch = [
      stat(2, 'bash', 10),
      stat(3, 'sh', 0, { parentPid: 2, childTicks: 700 }),
      stat(4, 'node', 83_600, { parentPid: 3 }),
    ];
    expect(shares(branch, [stat(2, 'bash', 10, { childTicks: 84_340 })])).toEqual([['node', 20]]);
  });

  it('count a branch of several levels that ended up to the process that waited for it', () => {
    const before = [
      stat(2, 'make', 0),
      stat(3, 'timeout', 0, { parentPid: 2 }),
      stat(4, 'sh', 5, { parentPid: 3 }),
      stat(5, 'cc1', 15_600, { parentPid: 4 }),
    ];
    const now = [stat(2, 'make', 0), stat(3, 'timeout', 0, { parentPid: 2, childTicks: 15_665 })];
    expect(shares(before, now)).toEqual([['cc1', 30]]);
  });

  it('add no old time of an orphan that init waited for', () => {
    const before = [stat(1, 'init', 0, { parentPid: 0 }), stat(2, 'sh', 0), stat(3, 'work', 50_000, { parentPid: 2 })];
    expect(shares(before, [stat(1, 'init', 0, { parentPid: 0, childTicks: 50_030 })])).toEqual([['work', 15]]);
  });

  it('take a reused pid for another process, and a process that was not listed for an old one', () => {
    const before = [stat(2, 'bash', 0), stat(9, 'node', 4000, { parentPid: 2, startTicks: 20_000 })];
    const reused = [stat(2, 'bash', 0, { childTicks: 4010 }), stat(9, 'ls', 4, { parentPid: 2, startTicks: 30_000 })];
    expect(shares(before, reused)).toEqual([
      ['node', 5],
      ['ls', 2],
    ]);
    const hidden = stat(8, 'java', 90_000, { startTicks: 100 });
    expect(
      shares([stat(2, 'bash', 0, { startTicks: 20_000 })], [stat(2, 'bash', 0, { startTicks: 20_000 }), hidden]),
    ).toEqual([]);
  });

  it('count what a process that started within the interval has already waited for', () => {
    expect(shares([stat(2, 'bash', 0)], [stat(2, 'bash', 0), stat(9, 'make', 2, { childTicks: 118 })])).toEqual([
      ['make', 60],
    ]);
  });

  it('never use more than the machine has', () => {
    expect(shares([stat(2, 'x264', 0)], [stat(2, 'x264', 231)])).toEqual([['x264', 100]]);
  });

  it('are read from lines with any characters in names', () => {
    const line = '51 (a (b) c) S 50 1 1 0 -1 4 0 0 0 0 11 22 3 4 20 0 5 0 777 1000 42';
    expect(parseProcessStat(line)).toMatchObject({
      ...{ pid: 51, name: 'a (b) c', parentPid: 50, cpuTicks: 33, childTicks: 7, threads: 5 },
      startTicks: 777,
    });
  });
});
