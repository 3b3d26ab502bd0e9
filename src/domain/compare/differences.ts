import { networkText } from '../plan/networkText';
import { turnText } from '../plan/turnRules';
import { formatDuration } from '../text/timeFormat';
import type { RunView } from '../model/run';
import { originOf, testersOf } from './describeRun';
import { planShape } from './planShape';

/** Differences between runs besides their figures, one short phrase each, e.g. `GC (G1, ZGC)`. */
export function differences(views: readonly RunView[]): readonly string[] {
  const origins = views.map((view) => originOf(view));
  const pulls = views.map(({ plan }) => plan.pull);
  const rows: Array<[string, ReadonlyArray<string | undefined>]> = [
    ['origin', origins.map((origin) => origin?.name)],
    ['server', origins.map((origin) => origin?.software ?? origin?.server)],
    ['GC', origins.map((origin) => collectorOf(origin?.gcSource))],
    ['origin cores', origins.map((origin) => text(origin?.machine?.cores))],
    ['origin kernel', origins.map((origin) => origin?.machine?.kernel)],
    ['protocol', pulls.map(({ protocol }) => protocol)],
    ['target viewers', pulls.map(({ viewers }) => text(viewers))],
    ['arrival rate', pulls.map(({ ratePerSecond }) => `${ratePerSecond} /s`)],
    ['hold', pulls.map(({ holdMs }) => (holdMs === 0 ? 'until stopped' : formatDuration(holdMs)))],
    ['fidelity', pulls.map(({ fidelity = 'media-only' }) => fidelity)],
    ['network', pulls.map(({ network }) => networkText(network) ?? 'real')],
    ['transport', pulls.map(({ transport = 'udp' }) => transport.toUpperCase())],
    ['tracks', pulls.map(({ tracks = 'audio-video' }) => tracks)],
    ['participant', pulls.map(({ participant = 'the first' }) => participant)],
    ['videos', pulls.map(({ videos = 1 }) => text(videos))],
    ['adaptive stream', pulls.map(({ adaptiveStream = 'off' }) => adaptiveStream)],
    ['relayed', pulls.map(({ turn }) => turnText(turn) ?? 'none')],
    [
      'testers',
      views.map((view) =>
        testersOf(view)
          .map(({ name }) => name)
          .join(' + '),
      ),
    ],
    ['agent', views.map((view) => testersOf(view)[0]?.software)],
  ];
  const pieces = rows.flatMap(([name, values]) => {
    const different = [...new Set(values)];
    if (different.length < 2) return [];
    return [`${name} (${values.map((value) => value ?? 'unknown').join(', ')})`];
  });
  const shapes = new Set(views.map(({ plan }) => planShape(plan)));
  const isSeen = pieces.some((piece) =>
    /^(protocol|target viewers|arrival rate|hold|fidelity|network|transport|tracks|participant|videos|adaptive stream|relayed) /.test(
      piece,
    ),
  );
  return shapes.size > 1 && !isSeen ? [...pieces, 'load profile'] : pieces;
}

const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** `GC log over SSH (ZGC)` is shortened to ZGC. */
function collectorOf(source: string | undefined): string | undefined {
  return /\(([^)]+)\)\s*$/.exec(source ?? '')?.[1] ?? source;
}
