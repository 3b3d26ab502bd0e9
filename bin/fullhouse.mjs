#!/usr/bin/env node
// Makes sure that the clone is ready, then runs the bundled command line in this very process.
import { createRequire } from 'node:module';
import { ensureReady } from '../scripts/setup.mjs';

try {
  await ensureReady(['dependencies', 'agent', 'cli']);
  createRequire(import.meta.url)('../out/cli/index.js');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
