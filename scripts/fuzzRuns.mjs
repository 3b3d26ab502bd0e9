import { spawnSync } from 'node:child_process';

/** Tests random damaged run files, 2,000 of each kind: `npm run fuzz:runs`; RUNS and SEED override the defaults. */
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'src/engine/store/hostile/damagedFiles'],
  { stdio: 'inherit', env: { RUNS: '2000', ...process.env } },
);
process.exit(status ?? 1);
