import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import { whipEndpoint, type WhipEndpoint } from './whipEndpoint';

const nowMs = Date.parse('2026-11-21T12:00:00Z');

function endpointAt(answer: { readonly status: number; readonly body?: string } | Error, base = 'https://sfu') {
  const requests: HttpRequest[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('Unexpected request.'));
  const http: HttpLink = {
    request: (request) => {
      requests.push(request);
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ body: '', headers: {}, tookMs: 1, ...answer });
    },
    json: refuse,
    text: refuse,
    close: () => undefined,
  };
  const options = { who: 'sfu', http, base, apiKey: 'APIkey', apiSecret: () => 'secret', wall: () => nowMs };
  const door: WhipEndpoint = whipEndpoint(options);
  return { door, requests };
}

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

describe('detection of WHIP on LiveKit', () => {
  it.each([204, 405])('HTTP %i means that it does', async (status) => {
    const { door, requests } = endpointAt({ status });
    expect(door.isOpen).toBe(false);
    expect(await door.look()).toEqual([]);
    expect(door.isOpen).toBe(true);
    expect(requests).toEqual([{ url: 'https://sfu/whip/v1' }]);
  });

  it.each([404, 200, 502])('HTTP %i means that it does not, with a message', async (status) => {
    const { door } = endpointAt({ status });
    expect(await door.look()).toEqual([
      `Can't publish to sfu: it has no WHIP endpoint (HTTP ${status} at https://sfu/whip/v1). Enter the WHIP address of an ingress for this node, or update LiveKit.`,
    ]);
    expect(door.isOpen).toBe(false);
  });

  it('no response does not affect the rooms', async () => {
    const { door } = endpointAt(new FullhouseError('no-answer', 'sfu: nothing responds.'));
    expect(await door.look()).toEqual([
      "Can't publish to sfu: its WHIP address does not respond (sfu: nothing responds). Enter the WHIP address of an ingress for this node, or update LiveKit.",
    ]);
  });

  it('warns when a token would be sent unencrypted', async () => {
    const remarks = (base: string): Promise<readonly string[]> => endpointAt({ status: 204 }, base).door.look();
    expect(await remarks('http://10.0.0.1:7880')).toEqual([
      'Publishers send their token to sfu unencrypted: http://10.0.0.1:7880 is not an https address.',
    ]);
    expect(await remarks('http://127.example.com')).toHaveLength(1);
    for (const base of ['http://127.0.0.1:7880', 'http://localhost:7880', 'http://[::1]:7880'])
      expect(await remarks(base)).toEqual([]);
  });
});

describe('a publish token', () => {
  it('only lets one participant publish in one room', async () => {
    const { door, requests } = endpointAt({ status: 204 });
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
    expect(requests).toEqual([{ url: door.url, headers: { Authorization: `Bearer ${token}` } }]);
  });

  it('is for the same participant each time, and for another one with different addresses', async () => {
    const { door } = endpointAt({ status: 204 });
    const tokens = door.tokensFor('cam');
    const { sub } = claimsOf(await tokens('publish')) as { sub: string };
    expect(claimsOf(await tokens('publish', 3_600_000))).toMatchObject({ sub, exp: nowMs / 1000 + 3600 });
    expect(claimsOf(await door.tokensFor('cam')('publish'))).not.toMatchObject({ sub });
  });

  it('is withheld when LiveKit refuses it, and removed from the message', async () => {
    const body = 'invalid token: eyJhbGci.eyJ.x, error: go-jose/go-jose: error in cryptographic primitive';
    await expect(endpointAt({ status: 401, body }).door.tokensFor('cam')('publish')).rejects.toMatchObject({
      code: 'livekit-secret',
      message: 'sfu: the API secret does not match the key "APIkey"; enter the secret again.',
    });
    await expect(endpointAt({ status: 404 }).door.tokensFor('cam')('publish')).rejects.toMatchObject({
      code: 'no-protocol',
    });
  });
});
