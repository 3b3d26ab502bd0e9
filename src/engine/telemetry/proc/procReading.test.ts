import { describe, expect, it } from 'vitest';
import { ProcReader, parseProcResponse, parseRemoteTime, type ProcResponse } from './procReading';
import { fingerprint, parseFacts } from './machineFacts';
import { ServerProcesses } from './serverProcesses';

const facts = parseFacts([
  'Welcome to the machine',
  '@kernel 6.1.0',
  '@machine aarch64',
  '@ticks ',
  '@page 65536',
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"',
  'model name\t: AMD EPYC',
  'Max open files            1024                 20000                files     ',
  '@ready',
]);
const answer = (remoteClockMs: number, uptimeMs: number, resolutionMs = 0): ProcResponse => ({
  remoteClockMs,
  resolutionMs,
  proc: { uptimeMs, processStats: [] },
  openFiles: new Map(),
});

it("reads the host's description", () => {
  expect(fingerprint(facts, 4, 1e9)).toEqual({
    system: 'Debian GNU/Linux 12 (bookworm) aarch64',
    kernel: '6.1.0',
    cpuModel: 'AMD EPYC',
    cores: 4,
    memoryBytes: 1e9,
    openFilesLimit: 20000,
    versions: {},
  });
  expect(facts).toMatchObject({ ticksPerSecond: 100, pageBytes: 65536 });
  expect(parseFacts(['@none Darwin']).withoutProc).toBe('Darwin');
});

it('accepts the time format of GNU and busybox only', () => {
  expect(parseRemoteTime('1795270977113152819')?.remoteClockMs).toBeCloseTo(1795270977113.15, 1);
  expect(parseRemoteTime('1795270977%N')).toEqual({ remoteClockMs: 1795270977500, resolutionMs: 1000 });
  expect(parseRemoteTime('1795270977')).toEqual({ remoteClockMs: 1795270977500, resolutionMs: 1000 });
  expect(parseRemoteTime('%s%N')).toBeUndefined();
  expect(parseProcResponse('', [])).toBeUndefined();
});

describe('the time between two readings', () => {
  const between = (first: ProcResponse, second: ProcResponse): number => {
    const reader = new ProcReader(facts);
    const startMs = reader.read(first).monotonicMs;
    return reader.read(second).monotonicMs - startMs;
  };

  it('is measured by the wall clock, which is finer', () => {
    expect(between(answer(1000, 500), answer(2003.5, 1500))).toBe(1003.5);
  });

  it('is measured by the uptime when the clock was set or has whole seconds', () => {
    expect(between(answer(1000, 500), answer(9000, 1510))).toBe(1010);
    expect(between(answer(1500, 500, 1000), answer(3500, 1510, 1000))).toBe(1010);
  });
});

describe('finding the processes of the server', () => {
  const stat = (pid: number, startTicks: number) => ({
    pid,
    startTicks,
    parentPid: 1,
    name: 'server',
    childTicks: 0,
    cpuTicks: 0,
    threads: 1,
    residentPages: 1,
  });

  it('searches once, then reads by pid, and searches again when they are gone', () => {
    const processes = new ServerProcesses('srs', undefined);
    expect(processes.questions(1)).toBe('sample 1 files\nfind 1 srs\n');
    processes.line('@found 7 srs\t./srs\t-c\tsrs.conf\t');
    processes.line('@found-all 1');
    expect(processes.questions(2)).toBe('sample 2 files 7\n');
    processes.answered({ processStats: [stat(7, 100)] }, new Map([[7, 12]]));
    expect(processes.missing).toBeUndefined();
    // Another process under the same pid.
    processes.answered({ processStats: [stat(7, 900)] }, new Map());
    expect(processes.missing).toBe('srs');
    const questions = Array.from({ length: 20 }, (_, tick) => processes.questions(tick + 3));
    expect(questions.filter((text) => text.includes('find')).length).toBe(2);
  });

  it('counts many files less often, since that costs CPU on the host', () => {
    const processes = new ServerProcesses(undefined, 7);
    processes.answered({ processStats: [stat(7, 100)] }, new Map([[7, 30_000]]));
    const questions = Array.from({ length: 20 }, (_, tick) => processes.questions(tick));
    expect(questions.filter((text) => text.includes('files')).length).toBe(4);
  });

  it('requests nothing without a name or pid', () => {
    expect(new ServerProcesses(undefined, undefined).questions(5)).toBe('sample 5 files\n');
  });
});
