import { expect, it } from 'vitest';
import { redirectTarget } from './redirect';

const to = (
  from: string,
  location: string | undefined,
  hasCredentials = false,
  status = 302,
): string | undefined =>
  redirectTarget({ from: new URL(from), method: 'GET', status, location, hasCredentials })?.href;

it('follows what leads to HTTP', () => {
  expect(to('http://a/stat', '/stat.xml')).toBe('http://a/stat.xml');
  expect(to('http://a/', 'https://a/')).toBe('https://a/');
  expect(to('http://a/', 'ftp://a/')).toBeUndefined();
  expect(to('http://a/', 'http://[broken')).toBeUndefined();
  expect(to('http://a/', undefined)).toBeUndefined();
  expect(to('http://a/', '/b', false, 200)).toBeUndefined();
});

it('lets credentials neither leave TLS nor go to another host', () => {
  expect(to('https://a/', 'http://a/', true)).toBeUndefined();
  expect(to('https://a/', 'http://a/', false)).toBe('http://a/');
  expect(to('http://a/', 'http://b/', true)).toBeUndefined();
  expect(to('http://a/', 'https://a:8443/', true)).toBe('https://a:8443/');
});
