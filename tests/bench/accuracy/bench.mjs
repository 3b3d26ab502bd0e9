import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentPath } from '../../../scripts/setup/agent.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { withAgent } from '../audience/programs/agent.mjs';
import { startBrowser } from './browser.mjs';
import { codecConditions, codecFigures } from './codecs.mjs';
import { allConditions } from './conditions.mjs';
import { measure } from './measure.mjs';
import { accuracyTable } from './table.mjs';

/**
 * Accuracy of the audience's figures: 20 agent viewers and one Chromium pull from the lab under artificial network
 * conditions, and their figures are compared with the packets it sent; then streams of each codec, whose frames are also
 * compared with each other. About 8 minutes; requires ffmpeg, and a display for the Electron runtime.
 * @param {{ viewers?: number, seconds?: number, only?: string, withBrowser?: boolean, log?: (line: string) => void }} [options]
 */
export async function runAccuracyBench({
  viewers = 20,
  seconds = 20,
  only,
  withBrowser = true,
  log = () => undefined,
} = {}) {
  const samples = inRoot('assets', 'lab');
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-accuracy-'));
  const bench = withAgent(agentPath, ['lab', '--exit-when-idle', '--samples', samples], (lab) =>
    withAgent(agentPath, ['audience', '--exit-when-idle'], async (audience) => {
      const browser = withBrowser ? await startBrowser(`http://${lab.http}/`) : undefined;
      try {
        const results = [];
        for (const condition of allConditions.filter(({ name }) => !only || name.includes(only))) {
          log(`accuracy: ${condition.name} ...`);
          results.push(await measure({ lab, audience, browser, viewers, seconds }, condition));
        }
        const codecs = [];
        for (const condition of await codecConditions(folder, only)) {
          log(`accuracy: ${condition.name} ...`);
          const shown = condition.withBrowser ? browser : undefined;
          codecs.push(codecFigures(await measure({ lab, audience, browser: shown, viewers, seconds }, condition)));
        }
        const result = { viewers, seconds, chromium: browser?.version, results, codecs };
        for (const line of accuracyTable(result)) log(line);
        return result;
      } finally {
        await browser?.close();
      }
    }),
  );
  return bench.finally(() => rmSync(folder, { recursive: true, force: true }));
}
