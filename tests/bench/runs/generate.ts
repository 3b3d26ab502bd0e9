import { statSync } from 'node:fs';
import { openRunLibrary } from '../../../src/engine/store';
import { eightHours } from './bigRun';
import { makeBigRun } from './make';

/** Writes the big run of the bench into a folder, and says as JSON what it is. `node generate.js FOLDER` */
const [, , folder = ''] = process.argv;
const startedMs = Date.now();
const library = openRunLibrary(folder);
let told = 0;
const samples = makeBigRun(library, eightHours, (share) => {
  const percent = Math.floor(share * 10) * 10;
  if (percent > told) console.error(`runs: ${percent} % of the night is written ...`);
  told = Math.max(told, percent);
});
console.log(
  JSON.stringify({
    run: eightHours.id,
    samples,
    bytes: statSync(library.path(eightHours.id)).size,
    seconds: (Date.now() - startedMs) / 1000,
  }),
);
