import type { RunLibrary } from '../../../src/engine/store';
import { LongRunSamples, viewOf, type LongRun } from './longRun';

/** Max duration of one flush, in s: full minutes, like packing. */
const flushSeconds = 60;

/** Writes such a run into the library with the run writer, at full speed; returns its number of samples. */
export function makeLongRun(
  library: RunLibrary,
  run: LongRun,
  onProgress: (share: number) => void = () => undefined,
): number {
  const view = viewOf(run);
  const writer = library.create(view, { version: '0.1.0' });
  const source = new LongRunSamples(run);
  let count = 0;
  for (let second = 0; second < run.seconds; second += 1) {
    const samples = source.second(second);
    count += samples.length;
    writer.append(samples);
    writer.histograms(source.histograms(second));
    if (second % flushSeconds !== flushSeconds - 1) continue;
    writer.flush();
    onProgress(second / run.seconds);
  }
  for (const [i, share] of [0.1, 0.56, 0.62, 0.9].entries())
    writer.event({
      timeMs: view.startedMs + run.seconds * 1000 * share,
      kind: 'note',
      mark: i === 2 ? 'limit' : 'note',
      who: 'Fullhouse',
      sentence: i === 2 ? 'The origin paused for 412 ms' : 'A mark of the night',
    });
  writer.finish({
    ...view,
    state: 'ended',
    endedMs: view.startedMs + run.seconds * 1000,
    verdict: {
      verdict: 'pass',
      sentence: 'All 3,000 viewers connected; all expectations met.',
      reasons: [],
      headroom: [],
    },
  });
  library.compact(run.id);
  return count;
}
