import { afterEach, expect, it } from 'vitest';
import { preflightText } from '../../src/cli/preflightText';
import { cleanUp, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

it('looks at the lab and the tester of this machine', async () => {
  const engine = engineInTemporaryFolder();
  const report = await engine.client.call('preflight.run', { id: 'look', plan: planOf() });
  console.log(preflightText(report));
  expect(report.findings.length).toBeGreaterThan(10);
});
