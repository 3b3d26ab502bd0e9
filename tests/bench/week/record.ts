import { join } from 'node:path';
import { SecretMask } from '../../../src/domain/secrets/secretMask';
import { every, systemClock } from '../../../src/engine/base/clock';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import { SavedRuns } from '../../../src/engine/savedRuns/savedRuns';
import { Recorder } from '../../../src/engine/savedRuns/writing/recorder';
import { Watching } from '../../../src/engine/watch/watching';
import { FleetSamples, nodes } from './fleetSamples';

/**
 * CPU of the engine's process while 20 nodes with 40 series are recorded for some seconds, beside the same without
 * recording: `node record.js FOLDER READER SECONDS`. Figures as JSON on the last line.
 */
const [, , folder = '', reader = '', seconds = '60'] = process.argv;
const startReader = readersByFork(reader);
const clock = systemClock;
const fleet = new FleetSamples();

async function busyPercent(take: (samples: ReturnType<FleetSamples['at']>) => void): Promise<number> {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const stop = every(clock, 1000, () => take(fleet.at(clock.now())));
  await new Promise<void>((done) => void clock.after(Number(seconds) * 1000, done));
  stop();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - startedMs);
}

async function measure(): Promise<void> {
  const runsFolder = join(folder, 'runs');
  const recorder = new Recorder({ folder: runsFolder, startWriter: startReader, onProblem: () => undefined });
  const runs = { recorder, saved: new SavedRuns({ folder: runsFolder, startReader }) };
  const watching = new Watching({
    ...{ folder: join(folder, 'watched'), startReader, clock, version: '0.1.0', mask: new SecretMask(), runs },
    ...{ nodes: () => nodes, events: () => [], problem: (sentence) => console.error(sentence) },
  });
  const stopTicking = every(clock, 1000, () => watching.tick(clock.now()));
  const without = await busyPercent(() => undefined);
  const before = process.memoryUsage().rss;
  const withRecording = await busyPercent((samples) => watching.take(samples));
  const grownMb = (process.memoryUsage().rss - before) / 1e6;
  stopTicking();
  await watching.close();
  runs.saved.close();
  await recorder.close();
  console.log(JSON.stringify({ busyPercent: withRecording - without, without, grownMb }));
}

void measure().then(() => process.exit());
