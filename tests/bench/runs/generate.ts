import { statSync } from 'node:fs';
import { openRunLibrary } from '../../../src/engine/store';
import { eightHours } from './longRun';
import { makeLongRun } from './make';

/** Writes the big run of the bench into a folder, and prints its description as JSON. `node generate.js FOLDER` */
const [, , folder = ''] = process.argv;
const startedMs = Date.now();
const library = openRunLibrary(folder);
let printed = 0;
const samples = makeLongRun(library, eightHours, (share) => {
  const percent = Math.floor(share * 10) * 10;
  if (percent > printed) console.error(`runs: ${percent} % of the night is written ...`);
  printed = Math.max(printed, percent);
});
console.log(
  JSON.stringify({
    run: eightHours.id,
    samples,
    bytes: statSync(library.path(eightHours.id)).size,
    seconds: (Date.now() - startedMs) / 1000,
  }),
);
