import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { bundledLicenses, chromeTarget, deferredSchemas } from './vite.shared.mjs';

/** The page that browser viewers without a window of the app load from the engine. */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/renderer/viewerPage'),
  base: './',
  publicDir: false,
  resolve: { alias: deferredSchemas },
  build: {
    target: chromeTarget,
    license: bundledLicenses,
    outDir: resolve(import.meta.dirname, 'out/viewer-page'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    // One script: once the page has its connection, nothing more is served.
    rollupOptions: { output: { inlineDynamicImports: true } },
    chunkSizeWarningLimit: 2000,
  },
});
