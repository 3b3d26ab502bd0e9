import { describe, expect, it } from 'vitest';
import { turnAddress, type PlanTurn } from '../model/turn';
import { parsePlan, planToYaml } from './planYaml';
import { turnText } from './turnRules';

const plain = (turn: string, protocol = 'whep'): string => `
name: relays
nodes: { origin: { server: lab }, tester-1: { tester: local }, tester-2: { tester: wcs, url: "http://127.0.0.1:8081" } }
pull: { stream: cam, from: origin, by: [tester-1], protocol: ${protocol}, viewers: 10, rate: 5/s, hold: 10s, turn: ${turn} }
`;
const read = (turn: string): PlanTurn | undefined => parsePlan(plain(turn)).plan.pull?.turn;

describe('the TURN server of an audience', () => {
  it.each<[string, PlanTurn, string]>([
    ['{ share: 10% }', { share: 10 }, "10 % through the origin's TURN server"],
    [
      '{ share: 100%, url: "turns:turn.example", username: viewer, password: $env:TURN_PASSWORD }',
      { share: 100, url: 'turns:turn.example', username: 'viewer', password: '$env:TURN_PASSWORD' },
      '100 % through turn.example:5349 (TLS)',
    ],
    [
      '{ share: 0.5%, url: "turn:[2001:db8::1]:99?transport=tcp", secret: $secret:TURN }',
      { share: 0.5, url: 'turn:[2001:db8::1]:99?transport=tcp', secret: '$secret:TURN' },
      '0.5 % through [2001:db8::1]:99 (TCP)',
    ],
  ])('%s is read, described, and written again', (yaml, turn, text) => {
    expect(read(yaml)).toEqual(turn);
    expect(turnText(turn)).toBe(text);
    const { plan } = parsePlan(plain(yaml));
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['{ share: 0% }', 'share'],
    ['{ share: 101% }', 'share'],
    ['{ share: 1%, url: "turn:a", bitrate: 1Mbit/s }', 'The bitrate is that of the stream'],
    ['{ share: 1%, url: "turn:a", selfSigned: true }', 'Only a "turns:" address has a certificate'],
    ['{ share: 1%, url: "stun:a" }', 'not a TURN address'],
    ['{ share: 1%, url: "turn:a", password: plain }', 'not a reference'],
    ['{ share: 1%, url: "turn:a", secret: plain }', 'not a reference'],
    ['{ share: 1%, password: $env:A }', 'add "url"'],
    ['{ share: 1%, url: "turn:a", password: $env:A, secret: $env:B }', 'either a password or a shared secret'],
  ])('%s is refused', (yaml, says) => {
    expect(() => read(yaml)).toThrow(says);
  });

  it('is the origin itself for the protocol turn', () => {
    expect(parsePlan(plain('{ username: u, password: $env:A, bitrate: 2Mbit/s }', 'turn')).plan.pull?.turn).toEqual({
      share: 100,
      bitrateKbps: 2000,
      username: 'u',
      password: '$env:A',
    });
    expect(() => parsePlan(plain('{ url: "turn:a" }', 'turn'))).toThrow('loads the TURN server of the origin');
  });

  it('is for WebRTC and agents only', () => {
    expect(() => parsePlan(plain('{ share: 1% }', 'hls'))).toThrow('Only WebRTC can use a TURN server');
    expect(() => parsePlan(plain('{ share: 1% }', 'wcs'))).toThrow('A WCS lists no TURN server');
    expect(() => parsePlan(plain('{ share: 1% }').replace('by: [tester-1]', 'by: [tester-2]'))).toThrow(
      '"tester-2" is a WCS',
    );
  });

  it.each([
    'turn:',
    'turn:a:0',
    'turn:a:65536',
    'turns:a?transport=udp',
    'turn:a?x=1',
    'turn:u@a',
    'http://a',
    'turn:::1',
  ])('%s is no address', (text) => expect(turnAddress(text)).toBeUndefined());
});
