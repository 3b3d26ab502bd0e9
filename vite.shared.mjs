import { build } from 'vite';

/** Target of every Node side of the app: the oldest supported runtime (Electron 22 has Node 16.17). */
export const nodeTarget = 'node16';
/** Chromium of the oldest runtime. */
export const chromeTarget = 'chrome108';

/**
 * Packages that stay in node_modules: libsql is a native module; ws and ssh2 (of node-ssh) try optional native parts at
 * run time. The rest is bundled for a faster start.
 */
export const externalPackages = ['libsql', 'ws', 'node-ssh', 'ssh2'];

/** Which packages are in a bundle, written beside it for the third-party notices. */
export const bundledLicenses = { fileName: 'licenses.json' };

/**
 * Packages that do not declare that their modules have no side effects: parts that are not used are left out.
 */
export const withoutSideEffects = {
  moduleSideEffects: (/** @type {string} */ id) => !id.includes('@kubernetes/client-node'),
};

/**
 * `import script from './page.ts?script'`: the text of one script without imports, bundled from that file and all that
 * it imports, for a page that has to be one file. A plugin, so that each build and test has it fresh.
 * @returns {import('vite').Plugin}
 */
export function pageScripts() {
  const query = '?script';
  return {
    name: 'page-scripts',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(query)) return undefined;
      const { output } = await build({
        configFile: false,
        logLevel: 'error',
        publicDir: false,
        build: {
          write: false,
          target: chromeTarget,
          modulePreload: false,
          rollupOptions: { input: id.slice(0, -query.length), output: { format: 'iife' } },
        },
      });
      for (const file of output[0].moduleIds) this.addWatchFile(file);
      return `export default ${JSON.stringify(output[0].code)};`;
    },
  };
}
