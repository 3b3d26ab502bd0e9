/** A line of a program's log without what a runtime or a logger put around it. */
export interface UnwrappedLine {
  readonly text: string;
  /** The wrapper's time, Unix ms by the host's clock; absent where it has none with its zone. */
  readonly wallMs?: number;
  /** A part of a line: the next one continues it. */
  readonly isPartial?: boolean;
}

const rfc3339 = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d))/.source;
/** `2026-11-26T22:00:00.123456789Z stdout F `: containerd and CRI-O; P is a part. */
const cri = new RegExp(`^${rfc3339} (?:stdout|stderr) ([FP])(?::\\S*)? `);
/** A JVM's decorations, which may follow anything, and the words of its lines. */
const jvmLine =
  /(?:\[[^[\]]*\])*\s*(?:GC\(\d+\) |Using (?:G1|Shenandoah|Parallel|Serial|The Z|Concurrent)|Initializing The Z|(?:[A-Za-z]: )?(?:Allocation|Relocation) Stall )/;
const anyTime = new RegExp(`^(?:<\\d+>\\d? ?)?${rfc3339}\\s`);
// Colours of a terminal.
const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Removes what containerd and CRI-O, Docker's json-file, syslog, journald, a service wrapper, kubectl or a logger put
 * before a line of a JVM. A line of another program is returned as it is.
 */
export function unwrapLine(raw: string): UnwrappedLine {
  const plain = raw
    .replace(ansi, '')
    .replace(/^\uFEFF/, '')
    .replace(/\r$/, '');
  const ofCri = cri.exec(plain);
  if (ofCri) {
    const inner = unwrapLine(plain.slice(ofCri[0].length));
    return {
      ...inner,
      wallMs: inner.wallMs ?? parseTime(ofCri[1]),
      ...(ofCri[2] === 'P' ? { isPartial: true } : {}),
    };
  }
  if (plain.trimStart().startsWith('{')) {
    const ofJson = unwrapJson(plain);
    if (ofJson) return ofJson;
  }
  const start = jvmLine.exec(plain)?.index ?? 0;
  if (start === 0) return { text: plain };
  const wallMs = parseTime(anyTime.exec(plain)?.[1]);
  return { text: plain.slice(start), ...(wallMs === undefined ? {} : { wallMs }) };
}

/** Names of the message and the time in lines that are JSON: Docker, journald, and loggers. */
const messageKeys = ['log', 'MESSAGE', 'message', 'msg'] as const;
const timeKeys = ['time', '@timestamp', 'timestamp', 'ts'] as const;

function unwrapJson(line: string): UnwrappedLine | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    return undefined;
  }
  const fields = raw as Readonly<Record<string, unknown>>;
  const message = messageKeys.map((key) => fields[key]).find((value) => typeof value === 'string');
  if (typeof message !== 'string') return undefined;
  const time = timeKeys.map((key) => fields[key]).find((value) => typeof value === 'string');
  const micros = Number(fields['__REALTIME_TIMESTAMP']);
  const wallMs = parseTime(typeof time === 'string' ? time : undefined) ?? (micros > 0 ? micros / 1000 : undefined);
  const inner = unwrapLine(message.replace(/\n$/, ''));
  return {
    ...inner,
    ...(inner.wallMs === undefined && wallMs !== undefined ? { wallMs } : {}),
    // Docker splits a long line: only its last part ends with one.
    ...('log' in fields && !message.endsWith('\n') ? { isPartial: true } : {}),
  };
}

function parseTime(text: string | undefined): number | undefined {
  const timeMs = text === undefined ? NaN : Date.parse(text.replace(',', '.').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isFinite(timeMs) ? timeMs : undefined;
}

/** Logs of garbage collectors in another form than that of Java 9 and newer. */
export type ForeignGcLog = 'Java 8' | 'OpenJ9';

const java8 =
  /^(?:\S+ )?(?:\d{4}-\d\d-\d\dT\S+: )?(?:\d+[.,]\d+: )?\[(?:GC|Full GC|ParNew|CMS|Times: user)|\(1\.[5-8]\.0[_-]|Total time for which application threads were stopped/;
const openJ9 =
  /<(?:verbosegc|gc-(?:op|start|end)|exclusive-(?:start|end)|cycle-(?:start|end)|af-(?:start|end)|sys-start|concurrent-(?:start|end))\b/;

/** Undefined for a line of Java 9 and newer, and for one that is none of a collector. */
export function foreignGcLog(line: string): ForeignGcLog | undefined {
  if (openJ9.test(line)) return 'OpenJ9';
  return java8.test(line) ? 'Java 8' : undefined;
}
