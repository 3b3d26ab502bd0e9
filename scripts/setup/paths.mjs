import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const inRoot = (...parts) => join(root, ...parts);

/** State of setup between starts; ignored by git, deleting it causes one rebuild. */
export const cacheFolder = inRoot('build', '.cache');
export const runtimeFolder = inRoot('.runtime');
