import { unwrapLine } from './logWrapper';

/** Collectors of OpenJDK, as used in a label. */
export type Collector = 'ZGC' | 'G1' | 'Shenandoah' | 'Parallel' | 'Serial' | 'CMS';

/** The timestamps of a line. */
export interface LineTime {
  /** Unix time in ms by the clock of the log's host. */
  readonly wallMs?: number;
  /** Since the start of the JVM. */
  readonly uptimeMs?: number;
}

export type GcLine =
  | { readonly kind: 'pause'; readonly what: string; readonly pauseMs: number; readonly time: LineTime }
  /** A thread that waited for memory: not the entire program stops, but this thread does for long. */
  | { readonly kind: 'stall'; readonly what: string; readonly pauseMs: number; readonly time: LineTime }
  | { readonly kind: 'collector'; readonly collector: Collector; readonly time: LineTime }
  /** A ZGC collection ended; its pauses are separate lines, which `-Xlog:gc` alone does not write. */
  | { readonly kind: 'collection'; readonly time: LineTime };

const wallTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)[.,](\d{3})(Z|[+-]\d\d:?\d\d)$/;
/** Above this, milliseconds count since 1970 and not since the start: more than 30 years of uptime. */
const maxUptimeMs = 1e12;

/** Strips the decorations of a unified JVM logging line: their number, order and padding are configurable. */
export function stripDecorations(line: string): { readonly time: LineTime; readonly body: string } {
  let wallMs: number | undefined;
  let uptimeMs: number | undefined;
  let from = 0;
  while (line[from] === '[') {
    const end = line.indexOf(']', from);
    if (end < 0) break;
    const decoration = line.slice(from + 1, end).trim();
    wallMs ??= parseWallTime(decoration);
    const count = wallMs === undefined || uptimeMs === undefined ? parseCount(decoration) : undefined;
    if (count !== undefined) {
      if (count >= maxUptimeMs) wallMs ??= count;
      else uptimeMs ??= count;
    }
    from = end + 1;
  }
  return { time: { wallMs, uptimeMs }, body: line.slice(from).trimStart() };
}

function parseWallTime(text: string): number | undefined {
  const match = wallTime.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, ms, zone = 'Z'] = match;
  const utcMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(ms),
  );
  if (zone === 'Z') return utcMs;
  const digits = zone.replace(':', '');
  const offsetMinutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return utcMs - (digits.startsWith('-') ? -1 : 1) * offsetMinutes * 60_000;
}

/** `12.345s`, `12345ms` or `12345678ns`, in ms. */
function parseCount(text: string): number | undefined {
  const match = /^(\d+(?:[.,]\d+)?)(s|ms|ns)$/.exec(text);
  if (!match) return undefined;
  const value = Number((match[1] ?? '').replace(',', '.'));
  return match[2] === 's' ? value * 1000 : match[2] === 'ms' ? value : value / 1e6;
}

/** `GC(7) Y: Pause Young (Normal) (G1 Evacuation Pause) 18M->3M(380M) 2.999ms`; concurrent phases are not pauses. */
const pause =
  /^GC\(\d+\) (?:[A-Za-z]: )?Pause (.+?)(?: \d+[KMG]?(?:\(\d+%\))?->\d+[KMG]?(?:\(\d+[KMG%]*\))?)? (\d+[.,]\d+)ms$/;
const stall = /^(?:GC\(\d+\) )?(?:[A-Za-z]: )?((?:Allocation|Relocation) Stall) \(.*\) (\d+[.,]\d+)ms$/;
const collection = /^GC\(\d+\) (?:Garbage|Minor|Major) Collection \(.*->/;
const collectors: ReadonlyArray<readonly [RegExp, Collector]> = [
  [/^(?:Using|Initializing) The Z Garbage Collector/, 'ZGC'],
  [/^Using G1/, 'G1'],
  [/^Using Shenandoah/, 'Shenandoah'],
  [/^Using Parallel/, 'Parallel'],
  [/^Using Serial/, 'Serial'],
  [/^Using Concurrent Mark Sweep/, 'CMS'],
];

/** Parses one line of a JVM's log; undefined for the many lines without a pause. */
export function parseGcLine(raw: string): GcLine | undefined {
  // Skips most lines: a busy collector writes hundreds a second.
  const isPause = raw.includes('Pause ');
  if (!isPause && !raw.includes(' Stall ') && !raw.includes('Collect')) {
    if (!raw.includes('Using ')) return undefined;
  }
  const { text: line, wallMs } = unwrapLine(raw);
  const { time: own, body } = stripDecorations(line);
  const time = own.wallMs === undefined && wallMs !== undefined ? { ...own, wallMs } : own;
  if (isPause) {
    const match = pause.exec(body);
    if (match) return { kind: 'pause', what: match[1] ?? '', pauseMs: milliseconds(match[2]), time };
  }
  const stalled = stall.exec(body);
  if (stalled) return { kind: 'stall', what: stalled[1] ?? '', pauseMs: milliseconds(stalled[2]), time };
  if (collection.test(body)) return { kind: 'collection', time };
  const collector = collectors.find(([pattern]) => pattern.test(body))?.[1];
  return collector && { kind: 'collector', collector, time };
}

function milliseconds(text: string | undefined): number {
  return Number((text ?? '').replace(',', '.'));
}

/** The collector with such pauses, where the log's head was missed. */
export function collectorOf(what: string): Collector | undefined {
  if (/^(Mark Start|Mark End|Relocate Start)/.test(what)) return 'ZGC';
  if (/\(G1 /.test(what) || /^(Remark|Cleanup)/.test(what)) return 'G1';
  if (/^(Init Mark|Final Mark|Init Update Refs|Final Update Refs|Degenerated GC)/.test(what)) return 'Shenandoah';
  return undefined;
}

/** Whether this looks like a unified JVM logging line about garbage collection. */
export function isGcLog(raw: string): boolean {
  const { text: line } = unwrapLine(raw);
  const { body } = stripDecorations(line);
  return (
    /^GC\(\d+\) /.test(body) || /\[gc[,\] ]/.test(line) || /\[safepoint/.test(line) || parseGcLine(line) !== undefined
  );
}
