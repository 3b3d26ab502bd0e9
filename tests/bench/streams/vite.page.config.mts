import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { chromeTarget, deferredSchemas } from '../../../vite.shared.mjs';

/** Builds the page with only one node's streams, with the same target as the window. */
export default defineConfig({
  root: 'tests/bench/streams/page',
  base: './',
  plugins: [svelte()],
  resolve: { alias: deferredSchemas },
  build: {
    target: chromeTarget,
    outDir: '../../../../out/streams-page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
  },
});
