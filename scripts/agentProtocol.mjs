import { writeFileSync } from 'node:fs';
import { runnerImport } from 'vite';
import { inRoot } from './setup/paths.mjs';

/** Generates the agent's types from the schemas of the contract, and its causes of failure from their list: `npm run protocol`. */
const { module } = await runnerImport(inRoot('scripts', 'protocol', 'source.mjs'), {
  configFile: false,
  logLevel: 'error',
});
for (const [file, source] of Object.entries(module.generatedSources()))
  writeFileSync(inRoot('agent', 'internal', 'protocol', file), source);
