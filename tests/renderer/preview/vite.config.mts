import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { chromeTarget, deferredSchemas, generatedModules } from '../../../vite.shared.mjs';

/** Builds the window on a fake engine, with the same target as the real one. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte({ configFile: false }), generatedModules()],
  resolve: { alias: deferredSchemas },
  build: {
    target: chromeTarget,
    outDir: '../../../out/preview',
    emptyOutDir: true,
    assetsInlineLimit: 0,
  },
});
