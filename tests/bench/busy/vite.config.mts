import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget, generatedModules } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program for the runs, built like the engine of the app. */
export default defineConfig({
  plugins: [generatedModules()],
  build: {
    target: nodeTarget,
    outDir: here('../../../out/busy-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: here('./runs.ts'),
    rollupOptions: { output: { format: 'cjs', entryFileNames: 'runs.js' } },
  },
  ssr: { noExternal: true, external: externalPackages },
});
