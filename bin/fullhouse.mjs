#!/usr/bin/env node
// Prepares the clone if necessary, then runs the bundled command line in this process.
import { createRequire } from 'node:module';
import { ensureReady } from '../scripts/setup.mjs';

try {
  await ensureReady(['dependencies', 'agent', 'cli']);
  createRequire(import.meta.url)('../out/cli/index.js');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
