import { writeFileSync } from 'node:fs';
import { runnerImport } from 'vite';
import { inRoot } from './setup/paths.mjs';

/** Generates the agent's types from the schemas of the contract: `npm run protocol`. */
const { module } = await runnerImport(inRoot('scripts', 'protocol', 'source.mjs'), {
  configFile: false,
  logLevel: 'error',
});
writeFileSync(inRoot('agent', 'internal', 'protocol', 'protocol_gen.go'), module.protocolSource());
