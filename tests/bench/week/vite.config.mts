import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget, generatedModules } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The generator of a watched week and its measurements, built like the engine of the app. */
export default defineConfig({
  plugins: [generatedModules()],
  build: {
    target: nodeTarget,
    outDir: here('../../../out/week-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      input: { week: here('./week.ts'), record: here('./record.ts') },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
