import { expect, it } from 'vitest';
import { addressOf, hostOf } from './remoteBase';

it('detects that nodes share a machine, however each is reached', () => {
  const names = [
    hostOf({ server: 'srs', url: 'http://10.0.0.9:1985' }),
    hostOf({ server: 'srs', url: 'http://10.0.0.9:1985', ssh: 'qa@10.0.0.9' }),
    hostOf({ tester: 'ssh', ssh: 'other@10.0.0.9:22' }),
    hostOf({ server: 'generic', rtmp: 'rtmp://10.0.0.9/live/{stream}' }),
  ];
  expect(new Set(names)).toEqual(new Set(['host 10.0.0.9']));
});

it('treats loopback addresses as this machine, unless SSH uses another port', () => {
  expect(hostOf({ server: 'generic', whep: 'http://127.0.0.1:8890/whep/{stream}' })).toBe('this-machine');
  expect(hostOf({ server: 'srs', url: 'http://localhost:1985' })).toBe('this-machine');
  expect(hostOf({ tester: 'ssh', ssh: 'qa@127.0.0.1:2222' })).toBe('host 127.0.0.1:2222');
});

it('shows the first address of a node', () => {
  expect(addressOf({ server: 'generic', hls: 'http://a/{stream}.m3u8', ssh: 'a' })).toBe('http://a/{stream}.m3u8');
  expect(addressOf({ tester: 'ssh', ssh: 'qa@a' })).toBe('qa@a');
});
