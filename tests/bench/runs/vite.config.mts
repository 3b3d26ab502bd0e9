import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The maker of the big run and what measures the engine on it, built as the engine is for the app. */
export default defineConfig({
  build: {
    target: nodeTarget,
    outDir: here('../../../out/runs-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      input: { generate: here('./generate.ts'), engine: here('./engine.ts') },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
