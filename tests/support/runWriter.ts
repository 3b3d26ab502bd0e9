import { openRunLibrary } from '../../src/engine/store/index';
import { testSample, testView } from './savedRun';

/**
 * A process that writes a run for `kill.test.ts` until it is killed, as fast as it can: one second of samples per turn,
 * committed, then reported.
 */
const [folder = ''] = process.argv.slice(2);
const writer = openRunLibrary(folder).create(testView('killed'), { version: '0.1.0' });
let second = 0;

function turn(): void {
  writer.append([
    testSample(second, 'origin', 'cpuPercent', second % 51),
    testSample(second, 'audience', 'viewersConnected', second),
  ]);
  writer.flush();
  process.stdout.write(`${second}\n`);
  second += 1;
  setImmediate(turn);
}
turn();
