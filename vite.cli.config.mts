import { defineConfig } from 'vite';
import { externalPackages, nodeTarget } from './vite.shared.mjs';

/** The command line: the same engine in one file for plain Node. */
export default defineConfig({
  build: {
    target: nodeTarget,
    outDir: 'out/cli',
    emptyOutDir: true,
    minify: false,
    ssr: 'src/cli/index.ts',
    rollupOptions: { output: { format: 'cjs', entryFileNames: 'index.js' } },
  },
  ssr: { noExternal: true, external: externalPackages },
});
