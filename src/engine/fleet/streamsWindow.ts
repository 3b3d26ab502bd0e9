import type { StreamView } from '../../domain/model/node';
import type { StreamSortKey } from '../../contract/nodeCalls';

/** Streams whose name, publisher or codec contains every word of the filter. */
export function matchingStreams(streams: readonly StreamView[], filter: string): readonly StreamView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return streams;
  return streams.filter((stream) => {
    const text = `${stream.stream} ${stream.source} ${codecOf(stream)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Sorted by one column; unknown values are last in both directions, and equal rows are in order of their names. */
export function sortedStreams(
  streams: readonly StreamView[],
  sortBy: StreamSortKey,
  descending: boolean,
): StreamView[] {
  const sign = descending ? -1 : 1;
  const keyed = streams.map((stream) => ({ stream, key: keyOf[sortBy](stream) }));
  keyed.sort((a, b) => {
    if (a.key === b.key) return compareNames(a.stream.stream, b.stream.stream);
    if (a.key === undefined) return 1;
    if (b.key === undefined) return -1;
    const order =
      typeof a.key === 'string' || typeof b.key === 'string'
        ? compareNames(String(a.key), String(b.key))
        : a.key - b.key;
    return order === 0 ? compareNames(a.stream.stream, b.stream.stream) : sign * order;
  });
  return keyed.map(({ stream }) => stream);
}

let collator: Intl.Collator | undefined;
/** Names that differ in case only are two streams. */
function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

const keyOf: Readonly<Record<StreamSortKey, (stream: StreamView) => string | number | undefined>> = {
  stream: (each) => each.stream,
  source: (each) => each.source,
  viewers: (each) => each.viewers,
  degraded: (each) => each.degraded,
  codec: (each) => codecOf(each) || undefined,
  size: (each) => (each.width && each.height ? each.width * each.height : undefined),
  bitrate: (each) => each.bitrateKbps,
  fps: (each) => each.fps,
  nack: (each) => each.nacksPerSecond,
  lost: (each) => each.lostPerSecond,
  age: (each) => each.ageMs,
};

function codecOf({ videoCodec, audioCodec }: StreamView): string {
  return [videoCodec, audioCodec].filter(Boolean).join(' ');
}
