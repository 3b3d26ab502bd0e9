import { defineConfig } from 'vite';
import { externalPackages, nodeTarget } from './vite.shared.mjs';

/** The command line: the same engine for plain Node, and the process that reads saved runs. */
export default defineConfig({
  build: {
    target: nodeTarget,
    outDir: 'out/cli',
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      input: { index: 'src/cli/index.ts', runReader: 'src/engine/savedRuns/readerProcess.ts' },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
