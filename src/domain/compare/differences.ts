import { allAudiences } from '../plan/audiences';
import { comparedText, writeOption } from '../plan/optionTexts';
import { formatDuration } from '../text/timeFormat';
import { optionNames, optionRows } from '../model/options';
import type { Audience } from '../model/plan';
import type { RunView } from '../model/run';
import { originOf, testersOf } from './describeRun';
import { planShape, weightsText } from './planShape';

/** Differences between runs besides their figures, one short phrase each, e.g. `GC (G1, ZGC)`. */
export function differences(views: readonly RunView[]): readonly string[] {
  const origins = views.map((view) => originOf(view));
  const rows: Row[] = [
    ['origin', origins.map((origin) => origin?.name)],
    ['server', origins.map((origin) => origin?.software ?? origin?.server)],
    ['GC', origins.map((origin) => collectorOf(origin?.gcSource))],
    ['origin cores', origins.map((origin) => text(origin?.machine?.cores))],
    ['origin kernel', origins.map((origin) => origin?.machine?.kernel)],
    ...audienceRows(views),
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
  const ofLoad = new Set(audienceRows(views).map(([name]) => name));
  const isSeen = pieces.some((piece) => ofLoad.has(piece.slice(0, piece.lastIndexOf(' ('))));
  return shapes.size > 1 && !isSeen ? [...pieces, 'load profile'] : pieces;
}

/** Name, and a value for each run. */
type Row = readonly [string, ReadonlyArray<string | undefined>];

/** What the audiences of the runs are, by their order in the plans. */
function audienceRows(views: readonly RunView[]): readonly Row[] {
  const audiences = views.map(({ plan }) => allAudiences(plan));
  const most = Math.max(...audiences.map(({ length }) => length));
  const count: Row = ['audiences', audiences.map(({ length }) => text(length))];
  const ofEach = Array.from({ length: most }, (_, place) => {
    const each = audiences.map((all) => all[place]);
    // One that only some runs have is counted, not compared.
    const pulls = each.flatMap((audience) => audience?.pull ?? []);
    if (pulls.length < views.length) return [];
    const name = most === 1 ? '' : ` of ${each[0]?.name ?? ''}`;
    return loadRows(pulls).map(([what, values]): Row => [`${what}${name}`, values]);
  });
  return [count, ...ofEach.flat()];
}

function loadRows(pulls: readonly Audience[]): readonly Row[] {
  const compared = optionNames.filter((name) => !optionRows[name].isSameLoad);
  return [
    ['protocol', pulls.map(({ protocol }) => protocol)],
    ['target viewers', pulls.map(({ viewers }) => text(viewers))],
    ['arrival rate', pulls.map(({ ratePerSecond }) => `${ratePerSecond} /s`)],
    ['hold', pulls.map(({ holdMs }) => (holdMs === 0 ? 'until stopped' : formatDuration(holdMs)))],
    ...compared.map((name): Row => [inSentence(optionRows[name].title), pulls.map((pull) => comparedText(name, pull))]),
    // Steps that the words count only.
    ['changes of the network', pulls.map(({ network }) => (network?.steps ? writeOption('network', network) : 'none'))],
    ['weights', pulls.map((pull) => weightsText(pull) ?? 'none')],
  ];
}

/** A title within a sentence; one of capitals is an acronym. */
const inSentence = (title: string): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** `GC log over SSH (ZGC)` is shortened to ZGC. */
function collectorOf(source: string | undefined): string | undefined {
  return /\(([^)]+)\)\s*$/.exec(source ?? '')?.[1] ?? source;
}
