import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  readdirSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/engine/base/clock';
import { followGcLog, type GcLog, type GcPause } from '../../src/engine/telemetry/gcLog';
import type { HostSample } from '../../src/engine/telemetry/hostSource';
import { startJvm } from './servers/jvm';
import { localLink, type LocalLink } from './servers/localLink';
import { cleanUp, later, temporaryFolder } from './undo';
import { sleep, until } from '../support/until';

afterEach(cleanUp);

interface Followed {
  readonly log: GcLog;
  readonly pauses: GcPause[];
  readonly samples: HostSample[];
  readonly problems: Array<string | undefined>;
}

function follow(path: string, link: LocalLink = localLink()): Followed {
  // Both clocks are the same here.
  const remoteClock = () => ({ offsetMs: 0, uncertaintyMs: 0 });
  const log = followGcLog({ link, path, who: 'origin', clock: systemClock, remoteClock });
  later(() => log.close());
  const followed: Followed = { log, pauses: [], samples: [], problems: [] };
  log.onPause((pause) => followed.pauses.push(pause));
  log.onSample((sample) => followed.samples.push(sample));
  log.onProblem((sentence) => followed.problems.push(sentence));
  return followed;
}

/** The pauses in the logs, in the order of their files. */
function pausesInLogs(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('gc.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter(Boolean)
    .sort((a, b) => firstUptime(a) - firstUptime(b))
    .join('')
    .split('\n')
    .flatMap((line) => (/ Pause .*\d\.\d+ms$/.test(line) ? [Number(/([\d.]+)ms$/.exec(line)?.[1])] : []));
}

function firstUptime(log: string): number {
  return Number(/\[(\d+\.\d+)s\]/.exec(log)?.[1]);
}

it.each([
  { collector: 'ZGC', option: '-XX:+UseZGC', decorations: '' },
  { collector: 'G1', option: '-XX:+UseG1GC', decorations: ':time,uptime,level,tags' },
])('reads each pause of a JVM under $collector', async ({ collector, option, decorations }) => {
  const folder = temporaryFolder();
  const path = join(folder, 'gc.log');
  const { log, pauses, samples, problems } = follow(path);
  expect(await until(() => problems.length > 0, 10_000)).toBe(true);
  expect(problems[0]).toMatch(
    /^origin: \w+ finds no file .*gc\.log; start its JVM with -Xlog:gc\*:file=.*gc\.log:time,uptime,level,tags, or correct/,
  );

  const jvm = startJvm({
    jvmOptions: [option, `-Xlog:gc*:file=${path}${decorations}`],
    forMs: 2500,
    perBreath: 60,
  });
  await jvm.ended;
  const own = pausesInLogs(folder);
  expect(own.length).toBeGreaterThan(5);
  expect(await until(() => pauses.length >= own.length, 10_000)).toBe(true);
  const real = pauses.filter(({ kind }) => kind !== 'stall');
  expect(real.map(({ pauseMs }) => pauseMs)).toEqual(own);
  expect(log.label).toBe(`GC log over SSH (${collector})`);
  expect(problems.at(-1)).toBeUndefined();

  await sleep(1200);
  const longest = samples.flatMap(({ values }) => values.gcPauseMs ?? []);
  expect(Math.max(...longest)).toBe(Math.max(...own));
  expect(longest.length).toBeLessThanOrEqual(2 * 8);
  for (const { timeMs } of samples) expect(Math.abs(timeMs - Date.now())).toBeLessThan(30_000);
});

it('follows a log over its rotation', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'gc.log');
  writeFileSync(path, '');
  const { pauses } = follow(path);
  await sleep(500);
  const jvm = startJvm({
    jvmOptions: ['-XX:+UseG1GC', `-Xlog:gc*:file=${path}:time,uptime,level,tags:filecount=5,filesize=64K`],
    forMs: 3000,
    perBreath: 60,
  });
  await jvm.ended;
  const own = pausesInLogs(folder);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  expect(await until(() => pauses.length >= own.length, 10_000)).toBe(true);
  expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual(own);
});

it('finds the newest log of a pattern, continues after a cut, and leaves nothing running', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'gc 1.log'), '[0.1s] Using G1\n');
  const link = localLink();
  const { log, pauses, problems } = follow(join(folder, 'gc *.log'), link);
  expect(await until(() => log.label === 'GC log over SSH (G1)', 10_000)).toBe(true);
  await sleep(300);
  const write = (ms: string): void =>
    writeFileSync(join(folder, 'gc 1.log'), `[1.0s] GC(0) Pause Remark 1M->1M(2M) ${ms}ms\n`, { flag: 'a' });
  write('1.500');
  expect(await until(() => pauses.length === 1, 10_000)).toBe(true);
  link.cut('Connection reset.');
  expect(problems.at(-1)).toBe("origin: its GC log can't be followed: SSH connection lost. Connection reset.");
  write('2.500');
  link.restore();
  await sleep(700);
  write('3.500');
  expect(await until(() => pauses.length === 2, 10_000)).toBe(true);
  // Data that was not followed is a gap.
  expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual([1.5, 3.5]);
  expect(problems.at(-1)).toBeUndefined();
  const tails = (): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false; // it ended meanwhile
      }
    });
  expect(tails().length).toBeGreaterThan(0);
  log.close();
  expect(await until(() => tails().length === 0, 10_000)).toBe(true);
});

it.each([['#!/bin/sh\n'.repeat(10), /is not a GC log of a JVM; Java 9 or newer writes one with/]])(
  'reports an invalid file',
  async (text, sentence) => {
    const path = join(temporaryFolder(), 'gc.log');
    writeFileSync(path, text);
    const { problems } = follow(path);
    expect(await until(() => problems.length > 0, 10_000)).toBe(true);
    expect(problems[0]).toMatch(sentence);
  },
);

it('continues with the file of a restarted JVM', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'gc-1.log'), '[0.1s] Using G1\n');
  let nowMs = Date.now();
  let tick = (): void => undefined;
  const clock: Clock = {
    now: () => nowMs,
    wall: () => nowMs,
    monotonic: () => nowMs,
    after: (_ms, run) => {
      tick = run;
      return () => undefined;
    },
  };
  const log = followGcLog({ link: localLink(), path: join(folder, 'gc-*.log'), who: 'origin', clock });
  later(() => log.close());
  expect(await until(() => log.label.endsWith('(G1)'), 10_000)).toBe(true);
  await sleep(200);
  writeFileSync(join(folder, 'gc-2.log'), '[0.1s] Using The Z Garbage Collector\n');
  nowMs += 25_000;
  tick();
  expect(await until(() => log.label.endsWith('(ZGC)'), 10_000)).toBe(true);
});

it('reports that a log without pauses needs another option', async () => {
  const path = join(temporaryFolder(), 'gc.log');
  writeFileSync(path, '[0.1s][info][gc] Using The Z Garbage Collector\n');
  const { log, problems } = follow(path);
  expect(await until(() => log.label.includes('ZGC'), 10_000)).toBe(true);
  await sleep(300);
  for (let cycle = 0; cycle < 3; cycle += 1)
    writeFileSync(path, `[${cycle}.5s][info][gc] GC(${cycle}) Garbage Collection (Warmup) 94M(18%)->24M(5%)\n`, {
      flag: 'a',
    });
  expect(await until(() => problems.length > 0, 10_000)).toBe(true);
  expect(problems[0]).toMatch(/contains collections but no pauses; start its JVM with -Xlog:gc\* instead of -Xlog:gc/);
});

const pauseLine = (number: number): string =>
  `[2026-11-26T22:00:0${number}.000+0000][${number}.000s][info][gc] GC(${number}) Pause Young (Normal) (G1 Evacuation Pause) 91M->31M(380M) ${number}.500ms`;

it('reads a log that was truncated while its program kept its place, before and during a run', async () => {
  const path = join(temporaryFolder(), 'gc.log');
  const file = openSync(path, 'w');
  later(() => closeSync(file));
  // More than any line may have.
  const atBytes = 3_000_000;
  writeSync(file, `${pauseLine(1)}\n`, atBytes);
  const { log, pauses, problems } = follow(path);
  const read = (): number[] => pauses.map(({ pauseMs }) => pauseMs);
  expect(await until(() => problems.length > 0 || log.silence !== undefined, 10_000)).toBe(true);
  await until(() => log.silence?.includes('no line was written') === true, 10_000);
  writeSync(file, `${pauseLine(2)}\n`, atBytes + 500);
  expect(await until(() => read().includes(2.5), 10_000)).toBe(true);
  truncateSync(path, 0);
  writeSync(file, `${pauseLine(3)}\n`, atBytes + 1000);
  expect(await until(() => read().includes(3.5), 20_000)).toBe(true);
  writeSync(file, `${pauseLine(4)}\n`, atBytes + 1500);
  expect(await until(() => read().includes(4.5), 10_000)).toBe(true);
  expect(log.silence).toBeUndefined();
  expect(problems.filter((sentence) => sentence !== undefined)).toEqual([]);
});

it.each<[string, (line: string) => string]>([
  ['containerd', (line) => `2026-11-26T22:00:00.1Z stdout F ${line}\n`],
  [
    'containerd, in two parts',
    (line) =>
      `2026-11-26T22:00:00.1Z stdout P ${line.slice(0, 60)}\n2026-11-26T22:00:00.1Z stdout F ${line.slice(60)}\n`,
  ],
  ['Docker', (line) => `${JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-26T22:00:00.1Z' })}\n`],
  ['syslog', (line) => `Nov 26 22:00:00 media-1 wcs[811]: ${line}\n`],
  ['a service wrapper', (line) => `INFO   | jvm 1    | 2026/11/26 22:00:00 | ${line}\n`],
])('reads a log as %s writes it', async (_, wrapped) => {
  const path = join(temporaryFolder(), 'gc.log');
  writeFileSync(path, wrapped(pauseLine(1)));
  const { log, pauses } = follow(path);
  expect(await until(() => log.silence === undefined, 10_000)).toBe(true);
  await until(() => log.silence?.includes('not followed') !== true, 10_000);
  appendFileSync(path, wrapped(pauseLine(2)));
  expect(await until(() => pauses.length > 0, 10_000)).toBe(true);
  expect(pauses[0]).toMatchObject({ pauseMs: 2.5, timeMs: Date.UTC(2026, 10, 26, 22, 0, 2) });
});

it.each([
  [
    'Java 8',
    'OpenJDK 64-Bit Server VM (25.402-b06) for linux-amd64 JRE (1.8.0_402-b06)\n',
    /is the GC log of Java 8 \(-XX:\+PrintGCDetails\), whose pauses are not read; Java 9 or newer/,
  ],
  ['OpenJ9', '<?xml version="1.0"?>\n<verbosegc version="x">\n', /is the verbose GC log of OpenJ9 \(XML\)/],
])('names a log of %s as what it is', async (_, head, sentence) => {
  const path = join(temporaryFolder(), 'gc.log');
  writeFileSync(path, head);
  const { log, problems } = follow(path);
  expect(await until(() => problems.length > 0, 10_000)).toBe(true);
  expect(problems[0]).toMatch(sentence);
  expect(log.silence).toBe(problems[0]);
});
