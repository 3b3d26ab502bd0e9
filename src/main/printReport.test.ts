import { describe, expect, it, vi } from 'vitest';
import { headerOf, mayLoad } from './printReport';

vi.mock('electron', () => ({ app: {}, BrowserWindow: class {}, session: {} }));

describe('a page that is printed', () => {
  it('loads itself and nothing else', () => {
    const page = 'file:///tmp/a/report.html';
    expect(mayLoad(page, page)).toBe(true);
    expect(mayLoad('data:font/woff2;base64,AA', page)).toBe(true);
    expect(mayLoad('https://example.com/x.png', page)).toBe(false);
    expect(mayLoad('file:///etc/passwd', page)).toBe(false);
  });
  it('has its name in the header as text', () => {
    expect(headerOf('<img src=x> & Co')).toContain('&#60;img src=x&#62; &#38; Co');
  });
});
