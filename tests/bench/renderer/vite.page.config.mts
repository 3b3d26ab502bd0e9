import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { chromeTarget } from '../../../vite.shared.mjs';

/** Builds the page with only the charts, with the same target as the window. */
export default defineConfig({
  root: 'tests/bench/renderer/page',
  base: './',
  plugins: [svelte()],
  build: {
    target: chromeTarget,
    outDir: '../../../../out/charts-page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
