import { ensureReady } from '../../../scripts/setup.mjs';
import { runScript } from '../../../scripts/setup/problem.mjs';
import { estimateTable, runEstimateBench } from './bench.mjs';

/** `node tests/bench/estimate/main.mjs`: the estimate against the truth, as a table. About 8 minutes. */
await runScript(async () => {
  await ensureReady(['agent']);
  const result = await runEstimateBench({ log: (line) => console.error(line) });
  console.log(estimateTable(result));
});
