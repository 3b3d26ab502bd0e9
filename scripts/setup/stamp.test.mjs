import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from './stamp.mjs';

describe('hashOf', () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fullhouse-stamp-'));
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'a.go'), 'one');
    writeFileSync(join(folder, 'inner', 'b.go'), 'two');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is stable without changes', () => {
    expect(hashOf([folder])).toBe(hashOf([folder]));
  });

  it('changes with content, name, a new file, and another machine', () => {
    const before = hashOf([folder]);
    const seen = new Set([before, hashOf([folder], { extra: 'linux-arm64' })]);
    writeFileSync(join(folder, 'inner', 'b.go'), 'three');
    seen.add(hashOf([folder]));
    writeFileSync(join(folder, 'c.go'), '');
    seen.add(hashOf([folder]));
    expect(seen.size).toBe(4);
  });

  it('ignores files that are not accepted', () => {
    const accept = (path) => !path.endsWith('_test.go');
    const before = hashOf([folder], { accept });
    writeFileSync(join(folder, 'a_test.go'), 'a test');
    expect(hashOf([folder], { accept })).toBe(before);
  });

  it('accepts a missing folder', () => {
    expect(hashOf([join(folder, 'gone')])).not.toBe(hashOf([]));
  });
});
