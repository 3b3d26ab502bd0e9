import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { programWords } from './scripts/words/programWords.mjs';

/** Target of every Node side of the app: the oldest supported runtime (Electron 22 has Node 16.17). */
export const nodeTarget = 'node16';
/** Chromium of the oldest runtime. */
export const chromeTarget = 'chrome108';

/**
 * Packages that stay in node_modules: libsql is a native module; ws and ssh2 (of node-ssh) try optional native parts at
 * run time. The rest is bundled for a faster start.
 */
export const externalPackages = ['libsql', 'ws', 'node-ssh', 'ssh2'];

/**
 * Schemas of a bundle are built when they are first used: `src/contract/deferredSchemas.ts`. As `resolve.alias`.
 * @type {import('vite').Alias[]}
 */
export const deferredSchemas = [
  { find: /^zod$/, replacement: fileURLToPath(new URL('src/contract/deferredSchemas.ts', import.meta.url)) },
];

/** Which packages are in a bundle, written beside it for the third-party notices. */
export const bundledLicenses = { fileName: 'licenses.json' };

/**
 * Packages that do not declare that their modules have no side effects: parts that are not used are left out.
 */
export const withoutSideEffects = {
  moduleSideEffects: (/** @type {string} */ id) => !id.includes('@kubernetes/client-node'),
};

/**
 * Modules that each build and test makes afresh:
 * - `import script from './page.ts?script'`: the text of one script without imports, bundled from that file and all that
 *   it imports, for a page that has to be one file.
 * - `import words from './wordSources.json?program-words'`: the words of the texts in the sources that the file lists.
 * @returns {import('vite').Plugin}
 */
export function generatedModules() {
  return {
    name: 'generated-modules',
    enforce: 'pre',
    async load(id) {
      const [file, query] = id.split('?');
      if (query === 'program-words') return `export default ${JSON.stringify(programWords(file))};`;
      if (query !== 'script') return undefined;
      const { output } = await build({
        configFile: false,
        logLevel: 'error',
        publicDir: false,
        build: {
          write: false,
          target: chromeTarget,
          modulePreload: false,
          rollupOptions: { input: file, output: { format: 'iife' } },
        },
      });
      for (const each of output[0].moduleIds) this.addWatchFile(each);
      return `export default ${JSON.stringify(output[0].code)};`;
    },
  };
}
