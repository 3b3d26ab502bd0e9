import { statSync } from 'node:fs';
import type { SeriesId } from '../../../src/domain/series/series';
import { openRunLibrary, readSaved, type Overview } from '../../../src/engine/store';
import { PackedRunFile } from '../../../src/engine/store/packedFile';
import { SummaryFigures } from '../../../src/engine/store/summary';
import { thinRun } from '../../../src/engine/store/watched';
import { watchedView } from '../../../src/engine/watch/watchedView';
import { FleetSamples, nodes, shownSeries } from './fleetSamples';

/**
 * Writes a week of 20 nodes with 40 series as it is kept after that time, and reads ranges of it:
 * `node week.js FOLDER`. Figures as JSON on the last line.
 */
const [, , folder = ''] = process.argv;
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 10, 21);
/** Steps of its days, oldest first; of longer ones two samples remain, the lowest and the highest. */
const daySteps = [60_000, 60_000, 10_000, 10_000, 10_000, 1000, 1000];
const columns = 480;

const library = openRunLibrary(folder, { repeat: () => () => undefined });
const id = (day: number): string => `day-${day}`;
const fromOf = (day: number): number => startMs + day * dayMs;

function write(day: number, stepMs: number): number {
  const fromMs = fromOf(day);
  const of = { id: id(day), name: 'Watched', range: { fromMs, toMs: fromMs + dayMs - 1, stepMs }, nodes };
  const file = new PackedRunFile(library.path(of.id), watchedView({ ...of, isActive: true }), { version: '0.1.0' });
  const fleet = new FleetSamples();
  const everyMs = stepMs === 1000 ? 1000 : stepMs / 2;
  for (let minuteMs = 0; minuteMs < dayMs; minuteMs += 60_000) {
    const columns = new Map<string, { node: string; series: SeriesId; timeMs: number[]; value: number[] }>();
    for (let passedMs = minuteMs; passedMs < minuteMs + 60_000; passedMs += everyMs)
      for (const { node, series, timeMs, value } of fleet.at(fromMs + passedMs)) {
        const column = columns.get(`${node} ${series}`) ?? { node, series, timeMs: [], value: [] };
        columns.set(`${node} ${series}`, column);
        column.timeMs.push(timeMs);
        column.value.push(value);
      }
    file.add([...columns.values()]);
  }
  const view = watchedView({ ...of, isActive: false });
  file.finish(view, new SummaryFigures().summary(view, 0));
  return statSync(library.path(of.id)).size;
}

/** As the window reads a range: file by file. */
function read(lengthMs: number): { readonly ms: number; readonly points: number } {
  const toMs = startMs + daySteps.length * dayMs;
  const fromMs = toMs - lengthMs;
  const startedMs = performance.now();
  let points = 0;
  for (const day of daySteps.keys()) {
    const [from, to] = [Math.max(fromMs, fromOf(day)), fromOf(day + 1)];
    if (to <= fromMs) continue;
    readSaved(library, id(day), (reader) => {
      for (let next: number | null = from; next !== null;) {
        const part: number = Math.max(1, Math.round((columns * (to - next)) / lengthMs));
        const answer: Overview = reader.overview(next, to, part, new Set(shownSeries));
        points += answer.columns.reduce((sum, { timeMs }) => sum + timeMs.length, 0);
        next = answer.nextMs;
      }
    });
  }
  return { ms: Math.round(performance.now() - startedMs), points };
}

const bytes = daySteps.map((stepMs, day) => {
  const startedMs = performance.now();
  const size = write(day, stepMs);
  console.error(
    `watch: day ${day + 1} at ${stepMs / 1000} s: ${(size / 1e6).toFixed(1)} MB in ${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
  return size;
});
const hourMs = 3_600_000;
const ranges = { hour: hourMs, sixHours: 6 * hourMs, day: dayMs, week: 7 * dayMs };
const reads = Object.fromEntries(
  Object.entries(ranges).map(([name, lengthMs]) => {
    // The first one opens the files.
    const [first, second] = [read(lengthMs), read(lengthMs)];
    console.error(`watch: ${name}: ${first.ms} ms, again ${second.ms} ms, ${first.points} points`);
    return [name, { firstMs: first.ms, againMs: second.ms, points: first.points }];
  }),
);
// What the console does once a day, of the last one.
const thinStartedMs = performance.now();
thinRun(library, id(daySteps.length - 1), 10_000);
const thinMs = Math.round(performance.now() - thinStartedMs);
console.log(
  JSON.stringify({
    thinMs,
    bytes: bytes.reduce((sum, size) => sum + size, 0),
    reads,
    rssMb: process.memoryUsage().rss / 1e6,
  }),
);
