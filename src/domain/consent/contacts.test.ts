import { expect, it } from 'vitest';
import { contactsOf } from './contacts';

const one = (settings: Partial<Record<string, string>>) =>
  contactsOf('n', { server: 'generic', ...settings }).map(({ address, isHere }) => [address, isHere]);

it.each([
  ['http://10.0.0.9:80/whep/{stream}?a=1', 'http://10.0.0.9', false],
  ['HTTPS://User:pw@CDN.example:8443', 'https://cdn.example:8443', false],
  ['10.0.0.9:8081', 'http://10.0.0.9:8081', false],
  ['http://127.0.0.1:8080/{stream}', 'http://127.0.0.1:8080', true],
  ['ws://localhost', 'ws://localhost', true],
  ['rtmp://[::1]:1935/live', 'rtmp://[::1]', true],
])('%s is the address %s', (text, address, isHere) => {
  expect(one({ url: text })).toEqual([[address, isHere]]);
});

it.each([
  'http://127.0.0.1@evil.example/',
  'http://127.0.0.1:80@evil.example/',
  'http://127.0.0.1\\@evil.example/',
  'http://127.0.0.1\t.evil.example/',
  'http://127.0.0.1{stream}/',
  'http://127.0.0.1:{stream}@evil.example/',
  'http://localhost.evil.example/',
  'http://a@127.0.0.1@evil.example/',
  'http://127.0.0.1#@evil.example:80:80/..',
  'http://$env:HOST/',
  'javascript:127.0.0.1',
])('%s is not taken for this machine', (text) => {
  const [first] = one({ url: text });
  expect(first?.[0]).not.toBe('');
  // A fragment ends the host for every client.
  expect(first?.[1]).toBe(text.includes('127.0.0.1#'));
});

it.each([
  ['qa@10.0.0.9', 'ssh://qa@10.0.0.9', false],
  ['10.0.0.9:22', 'ssh://10.0.0.9', false],
  ['ssh://root@127.0.0.1:2222/', 'ssh://root@127.0.0.1:2222', true],
  ['prod', 'ssh://prod', false],
  ['-oProxyCommand=id', '-oProxyCommand=id', false],
])('the login %s is the address %s', (text, address, isHere) => {
  expect(one({ ssh: text })).toEqual([[address, isHere]]);
});

it('loopback behind a jump host is another machine', () => {
  expect(one({ ssh: 'qa@127.0.0.1', jump: 'gate,127.0.0.1' })).toEqual([
    ['ssh://gate', false],
    ['ssh://127.0.0.1', false],
    ['ssh://qa@127.0.0.1', false],
  ]);
});
