import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../scripts/setup/command.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';

/**
 * 1,000 viewers of the lab on this machine, with the command line: the result of `fullhouse run --json`.
 * @param {{ viewers?: number, log?: (line: string) => void }} [options]
 */
export async function runAudienceBench({ viewers = 1000, log = () => undefined } = {}) {
  const out = mkdtempSync(join(tmpdir(), 'fullhouse-audience-'));
  try {
    log(`audience: ${viewers} lab viewers, held 60 s ...`);
    const plan = inRoot('plans', 'pull-1000-lab.yaml');
    const { stdout, stderr, code } = await run(
      process.execPath,
      [inRoot('bin', 'fullhouse.mjs'), 'run', plan, '--out', out, '--json', '--set', `pull.viewers=${viewers}`],
      { timeoutMs: 300_000 },
    );
    if (code === 2) throw new Error(`The run could not be started: ${stderr.trim().split('\n').at(-1)}`);
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
