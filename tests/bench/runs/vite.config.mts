import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget, generatedModules } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The generator of the big run and the engine benchmark, built like the engine of the app. */
export default defineConfig({
  plugins: [generatedModules()],
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
