import { join } from 'node:path';
import { build } from 'vite';

/** Once before all tests: the page of the player. */
export async function setup(): Promise<void> {
  await build({ configFile: join(__dirname, 'vite.page.config.mts'), root: undefined, logLevel: 'warn' });
}
