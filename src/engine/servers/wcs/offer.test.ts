import { expect, it } from 'vitest';
import { localMediaInfo, offerForWcs, sends } from './offer';

/** As Chromium bundles with `max-bundle`: the second section has no transport of its own. */
const bundled = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'm=audio 50123 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 192.0.2.7',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2122260223 192.0.2.7 50123 typ host',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  'a=fingerprint:sha-256 AA:BB',
  'a=setup:actpass',
  'a=mid:0',
  'a=sendonly',
  'a=msid:stream sound',
  'm=video 0 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 0.0.0.0',
  'a=bundle-only',
  'a=mid:1',
  'a=recvonly',
  '',
].join('\r\n');

it('has no candidates and a transport in each section, as that of the vendor', () => {
  const offer = offerForWcs(bundled);
  expect(offer).not.toMatch(/candidate|bundle-only|192\.0\.2\.7/);
  expect(offer.match(/^m=.*/gm)).toEqual(['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'm=video 9 UDP/TLS/RTP/SAVPF 96']);
  expect(offer.match(/^a=ice-ufrag:abcd$/gm)).toHaveLength(2);
  expect(offer.match(/^a=fingerprint/gm)).toHaveLength(2);
  expect(offer.endsWith('a=recvonly\r\n')).toBe(true);
  expect(offerForWcs(offer)).toBe(offer);
  // A rejected section stays rejected.
  const rejected = bundled.replace('a=bundle-only\r\n', '');
  expect(offerForWcs(rejected)).toContain('m=video 0 ');
});

it('reports what is sent', () => {
  expect([sends(bundled, 'audio'), sends(bundled, 'video')]).toEqual([true, false]);
  expect(sends(bundled.replace('a=recvonly\r\n', ''), 'video')).toBe(true);
  expect(localMediaInfo(bundled)).toMatchObject({ tracks: { audio: [{ trackId: 'sound' }], video: [] } });
});
