import { labGreeting } from '../../../contract/labProtocol';
import type { StreamView } from '../../../domain/model/node';

/** Whether a page at `/` is the one of our own lab. */
export function isLab(text: string): boolean {
  return text.startsWith(labGreeting);
}

const line = /^ {2}(\S+) {2}from (.+?), (\d+)x(\d+), (\d+) fps, (\d+) kbit\/s, (\d+) viewers, on for (\S+)$/gm;

/** The streams that the lab lists there. */
export function labStreams(text: string): StreamView[] {
  return [...text.matchAll(line)].map(
    ([, stream = '', source = '', width, height, fps, bitrateKbps, viewers, age]) => ({
      stream,
      source,
      viewers: Number(viewers),
      ...known('width', width),
      ...known('height', height),
      ...known('fps', fps),
      ...known('bitrateKbps', bitrateKbps),
      ageMs: durationMs(age ?? ''),
    }),
  );
}

/** The lab writes 0 for unknown values. */
function known<K extends string>(key: K, text: string | undefined): Partial<Record<K, number>> {
  const value = Number(text);
  return value > 0 ? ({ [key]: value } as Record<K, number>) : {};
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

/** A Go duration, to the second: `1h2m3s`. */
function durationMs(text: string): number {
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (unitMs[unit] ?? 0),
    0,
  );
}
