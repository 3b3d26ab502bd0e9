import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from './paths.mjs';
import { checkNode, isAtLeast, minGo } from './versions.mjs';

describe('isAtLeast', () => {
  it.each([
    ['20.19.0', '20.19', true],
    ['20.9.9', '20.19', false],
    ['22.1', '20.19', true],
    ['1.24', '1.24', true],
    ['1.9', '1.24', false],
    ['1.26.8', '1.24', true],
  ])('%s against %s is %s', (version, least, result) => {
    expect(isAtLeast(version, least)).toBe(result);
  });
});

describe('checkNode', () => {
  it('names the required version and the fix', () => {
    expect(() => checkNode('18.20.1')).toThrow(/18\.20\.1 is too old: Fullhouse needs 20\.19 or newer\. Install/);
  });
});

describe('the required Go version', () => {
  it('is the same in the agent and in the README', () => {
    expect(minGo()).toMatch(/^1\.\d+$/);
    expect(readFileSync(inRoot('README.md'), 'utf8')).toContain(`Go >= ${minGo()} `);
  });
});

describe('.nvmrc', () => {
  it('names the Node.js of continuous integration, which fits package.json', () => {
    const version = readFileSync(inRoot('.nvmrc'), 'utf8').trim();
    expect(readFileSync(inRoot('.github', 'workflows', 'ci.yml'), 'utf8')).toContain(`node-version: ${version},`);
    expect(() => checkNode(version)).not.toThrow();
    expect(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).engines.node).toBe('>=20.19');
  });
});
