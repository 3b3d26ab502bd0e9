import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build, type Rolldown } from 'vite';

/** Modules of the bundle of the updates' code, as main has it. */
async function modulesOf(isOffline: boolean): Promise<string[]> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    define: { __OFFLINE_BUILD__: JSON.stringify(isOffline) },
    build: {
      ssr: join(import.meta.dirname, '..', '..', 'src', 'main', 'updates', 'openUpdates.ts'),
      write: false,
      minify: false,
      rollupOptions: { external: ['electron', ...builtinModules], output: { format: 'cjs' } },
    },
    ssr: { noExternal: true },
  })) as Rolldown.RolldownOutput;
  return built.output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}

it('a build with FULLHOUSE_OFFLINE=1 contains no code of the updater', async () => {
  const isOfUpdater = (id: string): boolean => /node_modules\/electron-updater\/|electronUpdater\.ts/.test(id);
  expect((await modulesOf(false)).filter(isOfUpdater).length).toBeGreaterThan(10);
  const offline = await modulesOf(true);
  expect(offline.some((id) => id.endsWith('updates.ts'))).toBe(true);
  expect(offline.filter(isOfUpdater)).toEqual([]);
});
