/** What every Node side of the app is built for: the oldest runtime that must run it (Electron 22 has Node 16.17). */
export const nodeTarget = 'node16';
/** Chromium of the oldest runtime. */
export const chromeTarget = 'chrome108';

/**
 * Packages that stay in node_modules: libsql is a native module; ws and ssh2 (of node-ssh) try optional native parts at
 * run time. The rest is bundled, which makes the start quicker.
 */
export const externalPackages = ['libsql', 'ws', 'node-ssh', 'ssh2'];

/** Which packages are in a bundle, written beside it for the third-party notices. */
export const bundledLicenses = { fileName: 'licenses.json' };
