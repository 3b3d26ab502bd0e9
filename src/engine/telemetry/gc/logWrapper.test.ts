import { describe, expect, it } from 'vitest';
import { isGcLog, parseGcLine } from './gcLine';
import { foreignGcLog, unwrapLine } from './logWrapper';

const pause = 'GC(7) Pause Young (Normal) (G1 Evacuation Pause) 91M->31M(380M) 7.075ms';
const decorated = `[2026-11-26T22:00:00.123+0000][12.345s][info][gc] ${pause}`;
const atMs = Date.UTC(2026, 10, 26, 22, 0, 0, 123);

describe('a pause is read from a line', () => {
  it.each<[string, string]>([
    ['as it is', decorated],
    ['of containerd', `2026-11-26T22:00:00.123456789Z stdout F ${decorated}`],
    ['of CRI-O with its tags', `2026-11-26T22:00:00.123456789+00:00 stderr F:gc ${decorated}`],
    ['of Docker', JSON.stringify({ log: `${decorated}\n`, stream: 'stdout', time: '2026-11-26T22:00:00.123Z' })],
    ['of syslog', `Nov 26 22:00:00 media-1 wcs-core[811]: ${decorated}`],
    ['of syslog with a time zone', `2026-11-26T22:00:00.123456+00:00 media-1 wcs-core[811]: ${decorated}`],
    ['of RFC 5424', `<14>1 2026-11-26T22:00:00.123Z media-1 wcs 811 - - ${decorated}`],
    ['of journald as JSON', JSON.stringify({ __REALTIME_TIMESTAMP: '1', MESSAGE: decorated })],
    ['of journald with its uptime', `[  123.456789] media-1 wcs[811]: ${decorated}`],
    ['of a service wrapper', `INFO   | jvm 1    | 2026/11/26 22:00:00 | ${decorated}`],
    ['of a service wrapper without time', `INFO | jvm 1 | ${decorated}`],
    ['of Docker Compose', `wcs-1  | ${decorated}`],
    ['of kubectl', `[pod/wcs-0/wcs] ${decorated}`],
    ['of a logger', `2026-11-26 22:00:00,123 INFO [main] stdout - ${decorated}`],
    ['of a logger as JSON', JSON.stringify({ level: 'info', msg: decorated })],
    ['of Docker within syslog', `Nov 26 22:00:00 node dockerd[1]: ${decorated}`],
    ['in colour', `\u001b[32m${decorated}\u001b[0m`],
    ['with another line end', `${decorated}\r`],
  ])('%s', (_, line) => {
    expect(parseGcLine(line)).toMatchObject({ kind: 'pause', pauseMs: 7.075, time: { wallMs: atMs, uptimeMs: 12345 } });
    expect(isGcLog(line)).toBe(true);
  });

  it('with the time of its wrapper where it has none', () => {
    const bare = `[12.345s][info][gc] ${pause}`;
    expect(parseGcLine(`2026-11-26T22:00:00.123456789Z stdout F ${bare}`)?.time).toEqual({
      wallMs: atMs,
      uptimeMs: 12345,
    });
    const ofDocker = JSON.stringify({ log: `${bare}\n`, time: '2026-11-26T22:00:00.123Z' });
    expect(parseGcLine(ofDocker)?.time.wallMs).toBe(atMs);
    expect(parseGcLine(bare)?.time).toEqual({ uptimeMs: 12345 });
  });

  it('with its collector', () => {
    for (const line of ['[0.01s][info][gc] Using G1', 'wcs-1 | [0.01s][info][gc] Using G1'])
      expect(parseGcLine(line)).toMatchObject({ kind: 'collector', collector: 'G1' });
    expect(parseGcLine('INFO | jvm 1 | [0.01s][gc,init] Initializing The Z Garbage Collector')).toMatchObject({
      collector: 'ZGC',
    });
  });

  it('and not from a sentence about one', () => {
    expect(parseGcLine('2026-11-26 INFO the last Pause Young took 7.075ms')).toBeUndefined();
    expect(parseGcLine('{"log":"Pause of 3 ms\\n"}')).toBeUndefined();
    expect(unwrapLine('{"log": broken Pause ').text).toBe('{"log": broken Pause ');
  });
});

it('a part of a line is marked as one', () => {
  expect(unwrapLine('2026-11-26T22:00:00Z stdout P [1.0s][gc] GC(1) Pause')).toMatchObject({ isPartial: true });
  expect(unwrapLine('{"log":"[1.0s][gc] GC(1) Pause"}')).toMatchObject({ isPartial: true });
});

it.each<[string, ReturnType<typeof foreignGcLog>]>([
  ['OpenJDK 64-Bit Server VM (25.402-b06) for linux-amd64 JRE (1.8.0_402-b06)', 'Java 8'],
  ['2026-11-26T22:00:00.123+0000: 12.345: [GC pause (G1 Evacuation Pause) (young), 0.0070750 secs]', 'Java 8'],
  ['12.345: [Full GC (System.gc()) [PSYoungGen: 1K->0K(9K)] 3K->1K(9K), 0.01 secs]', 'Java 8'],
  ['12.345: [GC (Allocation Failure) 12.345: [ParNew: 1K->0K(9K), 0.01 secs]', 'Java 8'],
  ['1.5: Total time for which application threads were stopped: 0.0012 seconds', 'Java 8'],
  ['<verbosegc xmlns="http://www.ibm.com/j9/verbosegc" version="x">', 'OpenJ9'],
  ['<gc-op id="1" type="scavenge" timems="5.000" contextid="1" timestamp="x">', 'OpenJ9'],
  ['<exclusive-end id="1" durationms="5.2" />', 'OpenJ9'],
  [decorated, undefined],
  ['[0.005s][info][gc,init] Version: 17.0.15+6 (release)', undefined],
  ['<html><body>', undefined],
])('%s is of %s', (line, kind) => {
  expect(foreignGcLog(line)).toBe(kind);
});
