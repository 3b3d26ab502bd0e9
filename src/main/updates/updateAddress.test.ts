import { expect, it } from 'vitest';
import { isTrustedTransport, updateAddress } from './updateAddress';

it.each([
  ['https://packages.example.org/fullhouse', 'https://packages.example.org/fullhouse/'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ['http://localhost', 'http://localhost/'],
  ['http://[::1]:80/x/', 'http://[::1]/x/'],
])('accepts %s', (text, address) => {
  expect(updateAddress(text)).toBe(address);
});

it.each([
  ['packages.example.org', /is no address/],
  ['http://packages.example.org/', /by https:\/\/ only .*http:\/\/packages\.example\.org is refused/],
  ['http://127.0.0.1.example.org/', /is refused/],
  ['http://localhost.example.org/', /is refused/],
  ['file:///etc/', /is refused/],
  ['https://qa:secret@packages.example.org/', /without user, password/],
  ['https://packages.example.org/?token=secret', /without user, password/],
])('refuses %s', (text, reason) => {
  expect(() => updateAddress(text)).toThrow(reason);
});

it('trusts no other scheme for a package or a redirect', () => {
  expect(isTrustedTransport('https://cdn.example.org/a.deb')).toBe(true);
  expect(isTrustedTransport('http://cdn.example.org/a.deb')).toBe(false);
  expect(isTrustedTransport('data:text/plain,x')).toBe(false);
});
