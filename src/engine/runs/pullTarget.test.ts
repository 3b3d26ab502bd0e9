import { expect, it } from 'vitest';
import type { Audience } from '../../domain/model/plan';
import type { StreamAddresses } from '../servers/adapter';
import type { FleetNode } from '../fleet/node';
import { pullTargetOf } from './pullTarget';

const addresses = (stream: string): StreamAddresses => ({
  play: { rtmp: `rtmp://origin/live/${stream}`, livekit: 'ws://origin', whep: `https://origin/${stream}/whep` },
  publish: {},
  viewerTokens: (viewers) => Array.from({ length: viewers }, () => `watch ${stream}`),
  participantTokens: (rooms) => rooms.map((room) => `join ${room}`),
});
const origin = { id: 'origin', streams: [], settings: {}, server: { addresses } } as unknown as FleetNode;
const tester = { id: 'local' } as unknown as FleetNode;
const nodes = new Map([
  ['origin', origin],
  ['audience', tester],
]);

const target = (over: Partial<Audience>) =>
  pullTargetOf(
    {
      ...{
        stream: 'cam-{n}',
        from: 'origin',
        by: ['audience'],
        protocol: 'rtmp',
        viewers: 6,
        ratePerSecond: 1,
        holdMs: 0,
      },
      ...over,
    },
    nodes,
  );

it('viewers take several streams in turn, over all jobs', () => {
  const { urls } = target({ streams: 3 }) ?? {};
  const url = (number: number): string => `rtmp://origin/live/cam-${number}`;
  expect(urls?.(2)).toEqual([url(1), url(2)]);
  expect(urls?.(5)).toEqual([url(3), url(1), url(2)]);
  expect(urls?.(1)).toEqual([url(2)]);
  expect(target({ stream: 'cam' })?.urls).toBeUndefined();
});

it('viewers of several LiveKit rooms get tokens for them in turn', () => {
  const { tokens, urls, url } = target({ streams: 2, protocol: 'livekit' }) ?? {};
  expect([url, urls]).toEqual(['ws://origin', undefined]);
  expect(tokens?.(3, 0)).toEqual(['watch cam-1', 'watch cam-2', 'watch cam-1']);
  expect(tokens?.(1, 0)).toEqual(['watch cam-2']);
});

it('viewers over WHEP get the bearer tokens of their streams, where the server has such', () => {
  expect(target({ streams: 2, protocol: 'whep' })?.tokens?.(3, 0)).toEqual([
    'watch cam-1',
    'watch cam-2',
    'watch cam-1',
  ]);
  expect(target({ stream: 'cam', protocol: 'whep' })?.tokens?.(2, 0)).toEqual(['watch cam', 'watch cam']);
  expect(target({ stream: 'cam' })?.tokens).toBeUndefined();
});

it('participants fill one room after the other, and rooms are never used twice', () => {
  const { tokens } = target({ rooms: { size: 3, source: 'sample-240p' }, protocol: 'livekit', stream: 'talk' }) ?? {};
  expect(tokens?.(4, 0)).toEqual(['join talk-1', 'join talk-1', 'join talk-1', 'join talk-2']);
  expect(tokens?.(2, 0)).toEqual(['join talk-2', 'join talk-2']);
  expect(tokens?.(1, 0)).toEqual(['join talk-3']);
});

it('takes the trust of the node, and its login for WHEP only', () => {
  const asked: string[] = [];
  const login = { user: 'viewer', password: 'secret' };
  const trusted = {
    ...origin,
    settings: { selfSigned: true },
    loginFor: (url: string) => {
      asked.push(url);
      return login;
    },
  } as unknown as FleetNode;
  const audience = { stream: 'cam', from: 'origin', by: ['audience'], viewers: 1, ratePerSecond: 1, holdMs: 0 };
  const of = (protocol: 'whep' | 'rtmp') => pullTargetOf({ ...audience, protocol }, new Map([['origin', trusted]]));
  expect(of('whep')).toMatchObject({ selfSigned: true, login });
  expect(of('rtmp')).toMatchObject({ selfSigned: true, login: undefined });
  expect(asked).toEqual(['https://origin/cam/whep']);
});
