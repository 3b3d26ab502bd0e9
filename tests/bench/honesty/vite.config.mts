import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What makes the runs, built as the engine is for the app. */
export default defineConfig({
  build: {
    target: nodeTarget,
    outDir: here('../../../out/honesty-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: here('./runs.ts'),
    rollupOptions: { output: { format: 'cjs', entryFileNames: 'runs.js' } },
  },
  ssr: { noExternal: true, external: externalPackages },
});
