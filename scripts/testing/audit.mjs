import { z } from 'zod';
import { npm, run } from '../setup/command.mjs';

const report = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number() }) }),
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

/** Known vulnerabilities of the npm packages; a registry that does not answer is no failure of ours. */
export async function auditPackages() {
  const { stdout } = await run(npm, ['audit', '--audit', '--json'], { timeoutMs: 60_000 });
  const result = readAudit(stdout);
  if (result === undefined) process.stderr.write('npm audit: the registry did not answer; not checked.\n');
  return { name: 'npm audit', passed: result === undefined || result.length === 0, output: (result ?? []).join('\n') };
}

/**
 * The packages with a high or critical finding in the output of `npm audit --json`; undefined without a report.
 * @param {string} text
 */
export function readAudit(text) {
  const parsed = report.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}. Update it, or replace it.`);
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
