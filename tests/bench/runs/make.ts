import type { RunLibrary } from '../../../src/engine/store';
import { BigRunSamples, viewOf, type BigRun } from './bigRun';

/** What one flush brings at most, in s: as packing does, whole minutes. */
const flushSeconds = 60;

/** Writes such a run into the library by the writer that runs use, as fast as it goes; answers how many samples it has. */
export function makeBigRun(
  library: RunLibrary,
  run: BigRun,
  onProgress: (share: number) => void = () => undefined,
): number {
  const view = viewOf(run);
  const writer = library.create(view, { version: '0.1.0' });
  const source = new BigRunSamples(run);
  let count = 0;
  for (let second = 0; second < run.seconds; second += 1) {
    const samples = source.second(second);
    count += samples.length;
    writer.append(samples);
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
      sentence: 'All 3,000 viewers connected, and every expectation was met.',
      reasons: [],
      room: [],
    },
  });
  library.compact(run.id);
  return count;
}
