import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The clock's rules, for Node.js. */
export default defineConfig({
  logLevel: 'warn',
  build: {
    ssr: resolve(import.meta.dirname, 'frames.ts'),
    outDir: resolve(import.meta.dirname, '../../../out/clock-bench'),
    emptyOutDir: true,
  },
});
