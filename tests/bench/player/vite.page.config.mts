import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { chromeTarget } from '../../../vite.shared.mjs';

/** Builds the page with the control player beside a bare video element, with the same target as the window. */
export default defineConfig({
  root: 'tests/bench/player/page',
  base: './',
  plugins: [svelte()],
  build: {
    target: chromeTarget,
    outDir: '../../../../out/player-bench-page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
});
