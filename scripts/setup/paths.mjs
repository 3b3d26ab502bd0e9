import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const inRoot = (...parts) => join(root, ...parts);

/** What setup remembers between starts; git ignores it, deleting it costs one rebuild. */
export const cacheFolder = inRoot('build', '.cache');
export const runtimeFolder = inRoot('.runtime');
