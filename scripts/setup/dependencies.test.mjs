import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from './paths.mjs';

it('every npm package is pinned by a SHA-512 that npm ci verifies', () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const unpinned = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.link && !entry.integrity?.startsWith('sha512-'))
    .map(([path]) => path);
  expect(unpinned).toEqual([]);
});
