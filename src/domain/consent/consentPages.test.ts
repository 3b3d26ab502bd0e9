import { describe, expect, it } from 'vitest';
import type { ConsentItem } from './consent';
import { itemLine } from './consentText';
import { consentPages } from './consentPages';

const item = (kind: ConsentItem['kind'], text: string, path = 'hooks.0.run'): ConsentItem => ({ kind, path, text });

describe('pages of a native dialog', () => {
  it('have the items by kind, with one title each', () => {
    expect(consentPages([item('file', 'read "b"'), item('program', 'run "a"'), item('file', 'read "c"')])).toEqual([
      'Programs\n• hooks.0.run: run "a"\nFiles\n• hooks.0.run: read "b"\n• hooks.0.run: read "c"',
    ]);
  });

  it('have every item in full, however many there are', () => {
    const items = Array.from({ length: 100 }, (_, i) =>
      item(i % 2 ? 'file' : 'program', `run "${i}" ${'x'.repeat(60)}`),
    );
    const pages = consentPages(items) ?? [];
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(2000);
    for (const each of items) expect(pages.filter((page) => page.includes(`• ${itemLine(each)}`))).toHaveLength(1);
  });

  it('are refused where one item does not fit, or nobody would read them', () => {
    expect(consentPages([item('program', 'x'.repeat(3000))])).toBeUndefined();
    expect(consentPages(Array.from({ length: 2000 }, (_, i) => item('file', `read ${i}`)))).toBeUndefined();
  });
});
