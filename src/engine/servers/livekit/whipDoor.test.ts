import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import { whipDoor, type WhipDoor } from './whipDoor';

const nowMs = Date.parse('2026-11-21T12:00:00Z');

function doorAt(answer: { readonly status: number; readonly body?: string } | Error, base = 'https://sfu') {
  const asked: HttpRequest[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const http: HttpLink = {
    request: (request) => {
      asked.push(request);
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ body: '', headers: {}, tookMs: 1, ...answer });
    },
    json: refuse,
    text: refuse,
    close: () => undefined,
  };
  const options = { who: 'sfu', http, base, apiKey: 'APIkey', apiSecret: () => 'secret', wall: () => nowMs };
  const door: WhipDoor = whipDoor(options);
  return { door, asked };
}

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

describe('whether LiveKit takes WHIP', () => {
  it.each([204, 405])('HTTP %i says so', async (status) => {
    const { door, asked } = doorAt({ status });
    expect(door.isOpen).toBe(false);
    expect(await door.look()).toEqual([]);
    expect(door.isOpen).toBe(true);
    expect(asked).toEqual([{ url: 'https://sfu/whip/v1' }]);
  });

  it.each([404, 200, 502])('HTTP %i is not its answer, which is a sentence', async (status) => {
    const { door } = doorAt({ status });
    expect(await door.look()).toEqual([
      `Nothing can be published to sfu from here: it has no WHIP of its own (HTTP ${status} at https://sfu/whip/v1). Give this node the WHIP address of an ingress, or a newer LiveKit.`,
    ]);
    expect(door.isOpen).toBe(false);
  });

  it('silence is no reason to do without the rooms', async () => {
    const { door } = doorAt(new FullhouseError('no-answer', 'sfu: nothing answers.'));
    expect(await door.look()).toEqual([
      "Nothing can be published to sfu from here: its WHIP address can't be asked (sfu: nothing answers). Give this node the WHIP address of an ingress, or a newer LiveKit.",
    ]);
  });

  it('says when a token would go over the network unencrypted', async () => {
    const remarks = (base: string): Promise<readonly string[]> => doorAt({ status: 204 }, base).door.look();
    expect(await remarks('http://10.0.0.1:7880')).toEqual([
      'What publishes to sfu sends its token unencrypted, since http://10.0.0.1:7880 is no https address.',
    ]);
    expect(await remarks('http://127.example.com')).toHaveLength(1);
    for (const base of ['http://127.0.0.1:7880', 'http://localhost:7880', 'http://[::1]:7880'])
      expect(await remarks(base)).toEqual([]);
  });
});

describe('a token to publish with', () => {
  it('lets one participant publish in one room and do nothing else', async () => {
    const { door, asked } = doorAt({ status: 204 });
    const tokens = door.tokensFor('stage 1');
    const token = await tokens('publish');
    expect(claimsOf(token)).toEqual({
      iss: 'APIkey',
      sub: expect.stringMatching(/^fullhouse-[0-9a-f]{8}$/) as string,
      nbf: nowMs / 1000 - 600,
      exp: nowMs / 1000 + 600,
      video: {
        roomJoin: true,
        room: 'stage 1',
        canPublish: true,
        canSubscribe: false,
        canPublishData: false,
      },
    });
    expect(asked).toEqual([{ url: door.url, headers: { Authorization: `Bearer ${token}` } }]);
  });

  it('is for the same participant each time, and for another one with other addresses', async () => {
    const { door } = doorAt({ status: 204 });
    const tokens = door.tokensFor('cam');
    const { sub } = claimsOf(await tokens('publish')) as { sub: string };
    expect(claimsOf(await tokens('publish', 3_600_000))).toMatchObject({ sub, exp: nowMs / 1000 + 3600 });
    expect(claimsOf(await door.tokensFor('cam')('publish'))).not.toMatchObject({ sub });
  });

  it('is not given out when LiveKit refuses it, whose words hold it', async () => {
    const body = 'invalid token: eyJhbGci.eyJ.x, error: go-jose/go-jose: error in cryptographic primitive';
    await expect(doorAt({ status: 401, body }).door.tokensFor('cam')('publish')).rejects.toMatchObject({
      code: 'livekit-secret',
      message: 'sfu: the API secret does not belong to the key "APIkey"; enter the secret again.',
    });
    await expect(doorAt({ status: 404 }).door.tokensFor('cam')('publish')).rejects.toMatchObject({
      code: 'no-protocol',
    });
  });
});
