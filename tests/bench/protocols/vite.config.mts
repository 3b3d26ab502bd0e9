import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program that starts the servers of the tests. They find what is built from their own depth in the project. */
export default defineConfig({
  build: {
    target: nodeTarget,
    outDir: here('../../../out/protocols-bench/program'),
    emptyOutDir: true,
    minify: false,
    ssr: here('./servers.ts'),
    rollupOptions: { output: { format: 'cjs', entryFileNames: 'servers.js' } },
  },
  ssr: { noExternal: true, external: externalPackages },
});
