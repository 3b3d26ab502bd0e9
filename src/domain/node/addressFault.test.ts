import { expect, it } from 'vitest';
import { addressFaults } from './addressFault';

const faultsOf = (settings: object): string[] =>
  addressFaults({ server: 'generic', ...settings }).map(({ key, sentence }) => `${key}: ${sentence}`);

it.each([
  { whep: 'https://10.0.0.5:8443/whep/{stream}' },
  { whep: 'http://[2001:db8::5]:8080/{stream}?token={token}' },
  {
    rtmp: 'rtmp://origin/live/{stream}',
    rtsp: 'rtsp://qa:x@origin:554/{stream}',
    srt: 'srt://origin:9000?streamid={stream}',
  },
  { flv: 'ws://origin/live/{stream}.flv', turn: 'turns:origin:5349' },
  { url: '$env:ADDRESS', ssh: '$env:LOGIN', prometheus: 'http://$secret:HOST:9090' },
  { url: 'wss://livekit.local' },
  { ssh: 'qa@10.0.0.9:22', jump: 'a@gate, b@[2001:db8::1]:2222' },
  { ssh: 'load-1' },
  {
    ssh: 'node.1',
    hls: 'http://{stream}.cdn.example./x.m3u8',
    whep: 'http://0x7f.1/x',
    dash: 'https://müller.example/x',
  },
])('accepts %j', (settings) => {
  expect(faultsOf(settings)).toEqual([]);
});

it.each([
  [{ whep: 'http://origin:0/x' }, /^whep: The port of "http:\/\/origin:0\/x" must be 1 to 65535\.$/],
  [{ whep: 'http://origin:65536' }, /must be 1 to 65535/],
  [{ whep: 'http://origin:80a/x' }, /must be 1 to 65535/],
  [{ whep: 'http://[::1]:700000/x' }, /must be 1 to 65535/],
  [{ whep: 'rtmp://origin/live' }, /^whep: ".*" starts with rtmp:\/\/; here it has to be http:\/\/ or https:\/\/\.$/],
  [{ rtmp: 'http://origin/live' }, /it has to be rtmp:\/\/ or rtmps:\/\//],
  [{ hls: 'origin/x.m3u8' }, /^hls: "origin\/x.m3u8" is not an address\. Write it like http:/],
  [{ hls: 'http:///x.m3u8' }, /names no host/],
  [{ dash: 'http://a b/x.mpd' }, /contains a space/],
  [{ prometheus: '10.0.0.7:9090' }, /^prometheus: .* is not an address/],
  [{ turn: 'turn:origin:99999' }, /^turn: .* is not a TURN address/],
  [{ ssh: 'qa@10.0.0.9:70000' }, /^ssh: The port of "qa@10\.0\.0\.9:70000" must be/],
  [
    { whep: 'http://300.1.1.1:80/{stream}' },
    /^whep: The host of "http:\/\/300\.1\.1\.1:80\/\{stream\}" can't exist: "300\.1\.1\.1" is neither an IP address nor a name\. Correct it\.$/,
  ],
  [{ rtmp: 'rtmp://10.0.0.1.5/live' }, /^rtmp: The host of .* can't exist/],
  [{ srt: 'srt://[2001:db8::g]:9000' }, /^srt: The host of .* can't exist/],
  [{ prometheus: 'http://a|b:9090' }, /^prometheus: The host of .* can't exist/],
  [{ turn: 'turn:10.0.0.256' }, /^turn: The host of .* can't exist/],
  [{ ssh: 'qa@10.0.0.256:22' }, /^ssh: The host of "qa@10\.0\.0\.256:22" can't exist/],
  [{ ssh: 'a b@c' }, /^ssh: .* is not an SSH address/],
  [{ jump: 'gate,b@c:0' }, /^jump: The port of "b@c:0"/],
])('refuses %j', (settings, sentence) => {
  expect(faultsOf(settings)).toEqual([expect.stringMatching(sentence)]);
});

it('repeats no password', () => {
  expect(faultsOf({ whep: 'http://qa:sesame@origin:99999/x' })[0]).not.toContain('sesame');
});
