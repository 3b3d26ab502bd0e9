import { expect, it } from 'vitest';
import { redirectTarget } from './redirect';

const to = (
  from: string,
  location: string | undefined,
  hasCredentials = false,
  status = 302,
  allowCrossOrigin = false,
): string | undefined =>
  redirectTarget({ from: new URL(from), method: 'GET', status, location, hasCredentials, allowCrossOrigin })?.href;

it('follows redirects to HTTP addresses', () => {
  expect(to('http://a/stat', '/stat.xml')).toBe('http://a/stat.xml');
  expect(to('http://a/', 'https://a/')).toBe('https://a/');
  expect(to('http://a/', 'ftp://a/')).toBeUndefined();
  expect(to('http://a/', 'http://[broken')).toBeUndefined();
  expect(to('http://a/', undefined)).toBeUndefined();
  expect(to('http://a/', '/b', false, 200)).toBeUndefined();
});

it('follows none to another origin unless that is allowed', () => {
  for (const other of ['http://b/', 'http://a:8080/', 'https://a:8443/', '//127.0.0.1/']) {
    expect(to('http://a/', other)).toBeUndefined();
    expect(to('http://a/', other, false, 302, true)).toBe(new URL(other, 'http://a/').href);
  }
  expect(to('https://a/', 'http://a/')).toBeUndefined();
});

it('sends credentials neither without TLS nor to another host', () => {
  const allowed = (from: string, location: string, hasCredentials: boolean): string | undefined =>
    to(from, location, hasCredentials, 302, true);
  expect(allowed('https://a/', 'http://a/', true)).toBeUndefined();
  expect(allowed('https://a/', 'http://a/', false)).toBe('http://a/');
  expect(allowed('http://a/', 'http://b/', true)).toBeUndefined();
  expect(allowed('http://a/', 'https://a:8443/', true)).toBe('https://a:8443/');
});
