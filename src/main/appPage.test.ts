import { describe, expect, it, vi } from 'vitest';

// Electron does not exist in a unit test; these rules do not use it.
vi.mock('electron', () => ({ protocol: {}, app: {} }));

const { contentSecurityPolicy, fileOf, isOwnPage } = await import('./appPage');
const { isPermissionAllowed } = await import('./guards');

describe('isOwnPage', () => {
  it.each([
    ['app://fullhouse/index.html', true],
    ['app://fullhouse/', true],
    ['app://other/index.html', false],
    ['https://fullhouse/index.html', false],
    ['file:///index.html', false],
    ['about:blank', false],
    ['', false],
  ])('%j is %s', (url, expected) => {
    expect(isOwnPage(url)).toBe(expected);
  });
});

describe('fileOf', () => {
  it('serves a file of the page with its type', () => {
    expect(fileOf('/app/page', 'app://fullhouse/assets/a.js?v=1#x')).toEqual({
      path: '/app/page/assets/a.js',
      mimeType: 'text/javascript; charset=utf-8',
    });
  });

  it.each(['app://fullhouse/../secret.js', 'app://fullhouse/%2e%2e/secret.js'])('stays in the page for %s', (url) => {
    expect(fileOf('/app/page', url)?.path).toBe('/app/page/secret.js');
  });

  it.each([
    'app://fullhouse/..%2fsecret.js',
    'app://fullhouse/%2e%2e%2f%2e%2e%2fetc/x.js',
    'app://other/index.html',
    'app://fullhouse/run.fullhouse',
    'app://fullhouse/',
  ])('refuses %s', (url) => {
    expect(fileOf('/app/page', url)).toBeUndefined();
  });
});

describe('the content security policy', () => {
  it('blocks all external connections', () => {
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).toContain("connect-src 'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/);
  });
});

describe('isPermissionAllowed', () => {
  it.each([
    ['media', 'app://fullhouse/index.html', true],
    ['display-capture', 'app://fullhouse/', true],
    ['geolocation', 'app://fullhouse/index.html', false],
    ['notifications', 'app://fullhouse/index.html', false],
    ['clipboard-read', 'app://fullhouse/index.html', false],
    ['media', 'https://example.org/', false],
    ['media', '', false],
  ])('%s for %j is %s', (permission, url, expected) => {
    expect(isPermissionAllowed(permission, url)).toBe(expected);
  });
});
