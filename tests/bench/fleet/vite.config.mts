import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { externalPackages, nodeTarget, generatedModules } from '../../../vite.shared.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The engine under test, built as for the app, and its servers: one program each. */
export default defineConfig({
  plugins: [
    generatedModules(),
    {
      name: 'stand-ins find their fixtures',
      transform: (code, id) =>
        id.includes('/tests/standins/') ? code.replaceAll('__dirname', JSON.stringify(dirname(id))) : null,
    },
  ],
  build: {
    target: nodeTarget,
    outDir: here('../../../out/fleet-bench'),
    emptyOutDir: true,
    minify: false,
    ssr: true,
    rollupOptions: {
      input: { engine: here('./engine.ts'), servers: here('./servers.ts') },
      output: { format: 'cjs', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: externalPackages },
});
