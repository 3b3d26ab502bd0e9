import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../scripts/setup/command.mjs';
import { cacheFolder, inRoot } from '../../../scripts/setup/paths.mjs';

/**
 * Freezes made in a stream of the lab: the test of tests/player, with more of them.
 * @param {{ runs?: number, log?: (line: string) => void }} [options] `runs`: how many freezes
 * @returns {Promise<{ player: number | null, browsers: number | null, audience: number | null }[]>} per freeze, after
 *   how many milliseconds control player, browser viewers and audience reported it
 */
export async function runFreezesBench({ runs = 20, log = () => undefined } = {}) {
  log(`freezes: ${runs}, 5 s each ...`);
  const report = join(cacheFolder, 'vitest-freezes.json');
  const vitest = [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'player'];
  const test = ['tests/player/protocols.test.ts', '-t', 'sees a freeze', '--reporter=json', `--outputFile=${report}`];
  const { stdout, stderr } = await run(process.execPath, [...vitest, ...test], {
    env: { FULLHOUSE_FREEZES: String(runs), FULLHOUSE_TEST_DISPLAYS: process.env.DISPLAY },
  });
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((file) => file.assertionResults);
  const { freezes } = results.find(({ meta }) => meta.freezes)?.meta ?? {};
  if (!freezes) throw new Error(`The test of freezes did not measure:\n${stdout}\n${stderr}`);
  return freezes;
}
