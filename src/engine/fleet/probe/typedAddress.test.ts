import { expect, it } from 'vitest';
import { readTypedAddress } from './typedAddress';

it.each([
  ['10.20.0.7', { host: '10.20.0.7' }],
  ['qa@10.20.0.7', { host: '10.20.0.7', user: 'qa' }],
  ['qa%@10.20.0.7', { host: '10.20.0.7', user: 'qa%' }],
  ['qa@box:2222', { host: 'box', user: 'qa', port: 2222 }],
  ['box:8080', { host: 'box', port: 8080 }],
  ['fe80::1', { host: 'fe80::1' }],
  ['qa@[fe80::1]:22', { host: 'fe80::1', user: 'qa', port: 22 }],
  ['ssh://qa@box', { host: 'box', user: 'qa' }],
])('reads the host %s', (text, parts) => {
  expect(readTypedAddress(text)).toEqual({ text, ...parts });
});

it('keeps the complete URL', () => {
  const { host, port, url } = readTypedAddress('https://lk.example.org/whep/cam?x=1');
  expect([host, port, url?.href]).toEqual(['lk.example.org', undefined, 'https://lk.example.org/whep/cam?x=1']);
});

it.each(['rtmp://box/cam', 'rtsps://box:322/cam', 'srt://box:9000?streamid=read:cam'])(
  'keeps the address of a stream, %s',
  (text) => {
    expect(readTypedAddress(text)).toMatchObject({ host: 'box', url: new URL(text) });
  },
);

it.each([
  ['', 'No address entered.'],
  ['two words', "An address can't contain spaces."],
  ['ftp://box', '"ftp://" is not supported.'],
  ['http://a:secret@box', 'Leave the password out of the address: http://box.'],
  ['box:99999', 'is not an address'],
])('refuses "%s"', (text, sentence) => {
  expect(() => readTypedAddress(text)).toThrow(sentence);
});

it('parses the address of a TURN server', () => {
  expect(readTypedAddress('turns:turn.example')).toMatchObject({ host: 'turn.example', port: 5349 });
  const { host, port, url } = readTypedAddress('turn:127.0.0.1:99?transport=tcp');
  expect([host, port, url?.href]).toEqual(['127.0.0.1', 99, 'turn:127.0.0.1:99?transport=tcp']);
});
