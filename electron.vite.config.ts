import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { isOffline } from './scripts/setup/offline.mjs';
import {
  bundledLicenses,
  chromeTarget,
  deferredSchemas,
  externalPackages,
  nodeTarget,
  generatedModules,
  withoutSideEffects,
} from './vite.shared.mjs';

const at = (path: string): string => resolve(__dirname, path);

/** Smaller files start faster. Names of functions are kept, so that the stack of an error can be read. */
const compact = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } } as const;

export default defineConfig({
  main: {
    plugins: [generatedModules()],
    resolve: { alias: deferredSchemas },
    // A build for networks without updates contains no updater.
    define: { __OFFLINE_BUILD__: JSON.stringify(isOffline) },
    build: {
      target: nodeTarget,
      license: bundledLicenses,
      outDir: 'out/main',
      externalizeDeps: {
        exclude: ['zod', 'yaml', 'ssh-config', 'fast-xml-parser'],
        include: externalPackages,
      },
      rollupOptions: {
        treeshake: withoutSideEffects,
        // The engine and the reader of saved runs are separate programs: main starts them as utility processes.
        input: {
          index: at('src/main/start.ts'),
          engine: at('src/engine/utilityStart.ts'),
          runReader: at('src/engine/savedRuns/readerStart.ts'),
          // What these run, as it was compiled before.
          app: at('src/main/index.ts'),
          engineProgram: at('src/engine/utility.ts'),
          runReaderProgram: at('src/engine/savedRuns/readerProcess.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].js', minify: compact },
      },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      license: bundledLicenses,
      outDir: 'out/preload',
      // A sandboxed preload can require only electron, so everything else is bundled.
      externalizeDeps: false,
      rollupOptions: {
        input: at('src/preload/index.ts'),
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [svelte({ configFile: false })],
    resolve: { alias: deferredSchemas },
    build: {
      target: chromeTarget,
      license: bundledLicenses,
      outDir: at('out/renderer'),
      assetsInlineLimit: 0,
      rollupOptions: { input: at('src/renderer/index.html'), output: { minify: compact } },
    },
  },
});
