import { expect, it } from 'vitest';
import { haveCredentials, redirectTarget } from './redirect';

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

it('sends credentials to no other origin, even if that is allowed', () => {
  const allowed = (from: string, location: string, hasCredentials: boolean): string | undefined =>
    to(from, location, hasCredentials, 302, true);
  for (const [from, location] of [
    ['https://a/', 'http://a/'],
    ['http://a/', 'https://a/'],
    ['http://a/', 'http://b/'],
    ['http://a/', 'http://a:8080/'],
    ['http://a/', 'https://a:8443/'],
  ] as const) {
    expect(allowed(from, location, false)).toBe(location);
    expect(allowed(from, location, true)).toBeUndefined();
    expect(to(from, location, true)).toBeUndefined();
  }
  expect(allowed('http://a/', 'http://a:80/b', true)).toBe('http://a/b');
});

it('takes every header that could identify its sender for a credential', () => {
  expect(haveCredentials({ Accept: '*/*', 'content-type': 'a', 'User-Agent': 'b', Range: 'bytes=0-' })).toBe(false);
  for (const name of ['authorization', 'Cookie', 'X-API-Key', 'X-Auth-Token', 'Proxy-Authorization'])
    expect(haveCredentials({ [name]: 'x' }), name).toBe(true);
});
