import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { chromeTarget } from '../../vite.shared.mjs';

/** Builds the player's test page with the same target as the window. */
export default defineConfig({
  root: 'tests/player/page',
  base: './',
  plugins: [svelte()],
  build: {
    target: chromeTarget,
    outDir: '../../../out/player-page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // In kB: hls.js and the client of LiveKit, which are loaded on demand.
    chunkSizeWarningLimit: 700,
  },
});
