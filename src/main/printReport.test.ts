import { describe, expect, it, vi } from 'vitest';
import { headerOf, isAllowedUrl } from './printReport';

vi.mock('electron', () => ({ app: {}, BrowserWindow: class {}, session: {} }));

describe('a printed page', () => {
  it('loads itself and nothing else', () => {
    const page = 'file:///tmp/a/report.html';
    expect(isAllowedUrl(page, page)).toBe(true);
    expect(isAllowedUrl('data:font/woff2;base64,AA', page)).toBe(true);
    expect(isAllowedUrl('https://example.com/x.png', page)).toBe(false);
    expect(isAllowedUrl('file:///etc/passwd', page)).toBe(false);
  });
  it('has its name in the header as text', () => {
    expect(headerOf('<img src=x> & Co')).toContain('&#60;img src=x&#62; &#38; Co');
  });
});
