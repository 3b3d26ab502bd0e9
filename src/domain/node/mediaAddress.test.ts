import { describe, expect, it } from 'vitest';
import { addressFaults } from './addressFault';
import { rtmpFault, srtFault } from './mediaAddress';

describe('addresses of RTMP', () => {
  it.each([
    'rtmp://host/live/{stream}',
    'rtmp://host/{stream}',
    'rtmp://host/{stream}?user=me&pass=a/b',
    'rtmp://host/live/room/{stream}?key=a/b',
    'rtmp://host/live?token=x/{stream}',
    'rtmp://host/live?token=x/{stream}?key=a',
    'rtmps://me:secret@[::1]:443/live/cam',
  ])('%s is complete', (address) => {
    expect(rtmpFault(address)).toBeUndefined();
  });

  it.each([
    ['rtmp://host', 'names no stream'],
    ['rtmp://host/', 'names no stream'],
    ['rtmp://host/live/', 'names no stream'],
    ['rtmp://host/live/?key=a', 'names no stream'],
    ['rtmp://host/live?token=x/', 'names no stream'],
    ['rtmp://host//cam', 'has an empty application'],
    ['rtmp://secret@host/live/cam', 'has a user without a password'],
    ['rtmp://:secret@host/live/cam', 'has a user without a password'],
  ])('%s is not', (address, words) => {
    const sentence = rtmpFault(address);
    expect(sentence).toContain(words);
    expect(sentence).not.toContain('secret');
  });

  it('is checked before a run', () => {
    expect(addressFaults({ server: 'generic', rtmp: 'rtmp://host/live/' })).toEqual([
      { key: 'rtmp', sentence: expect.stringContaining('names no stream') as string },
    ]);
    expect(addressFaults({ server: 'generic', rtmp: 'http://host/live/' })).toHaveLength(1);
  });
});

describe('addresses of SRT', () => {
  it.each([
    'srt://host:9000?streamid={stream}',
    'srt://host:9000',
    'srt://host:9000?passphrase=%21234567890&latency=200',
    'srt://[::1]:9000?mode=caller&streamid=read:{stream}&passphrase=long-enough',
    'srt://host:9000?passphrase=&streamid={stream}',
  ])('%s is complete', (address) => {
    expect(srtFault(address)).toBeUndefined();
  });

  it.each([
    ['srt://host?streamid=x', 'has no port'],
    ['srt://host:9000?mode=listener', 'the server is the listener'],
    ['srt://host:9000?mode=rendezvous', 'the server is the listener'],
    ['srt://host:9000?passphrase=secret', 'has 6 characters'],
    ['srt://host:9000?passphrase=%21%21secret&latency=200', 'has 8 characters'],
  ])('%s is not', (address, words) => {
    expect(srtFault(address)).toContain(words);
    expect(srtFault(address)).not.toContain('secret');
    expect(addressFaults({ server: 'generic', srt: address })).toHaveLength(1);
  });
});
