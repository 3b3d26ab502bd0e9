import { expect, it } from 'vitest';
import { fillAddress, hostInAddress } from './addressTemplate';

it('encodes a name for its part of the address', () => {
  expect(fillAddress('http://a/whep/{stream}', { stream: 'live/my cam' })).toBe('http://a/whep/live/my%20cam');
  expect(fillAddress('http://a/?app={app}&stream={stream}', { app: 'live', stream: 'a/b&c' })).toBe(
    'http://a/?app=live&stream=a%2Fb%26c',
  );
  expect(fillAddress('http://a/{stream}/{other}', { stream: '$&' })).toBe('http://a/%24%26/{other}');
  expect(fillAddress('http://a/fixed', { stream: 'cam' })).toBe('http://a/fixed');
});

it('brackets an IPv6 host', () => {
  expect([hostInAddress('::1'), hostInAddress('[::1]'), hostInAddress('edge')]).toEqual(['[::1]', '[::1]', 'edge']);
});
