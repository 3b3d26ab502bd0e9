import { defineConfig } from 'vite';
import { bundledLicenses, externalPackages, nodeTarget, generatedModules, withoutSideEffects } from './vite.shared.mjs';

/** The command line: the same engine on plain Node.js, and the process that reads saved runs. */
export default defineConfig({
  plugins: [generatedModules()],
  build: {
    target: nodeTarget,
    license: bundledLicenses,
    outDir: 'out/cli',
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      treeshake: withoutSideEffects,
      input: { index: 'src/cli/index.ts', runReader: 'src/engine/savedRuns/readerProcess.ts' },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
