import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget, generatedModules } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The engine with the run of the benchmark, built as for the app. */
export default defineConfig({
  plugins: [generatedModules()],
  build: {
    target: nodeTarget,
    outDir: here('../../../out/outages-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      input: { engine: here('./engine.ts') },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
