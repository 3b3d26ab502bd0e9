import { describe, expect, it } from 'vitest';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import { roomService, type RoomService } from './roomService';

/** A service whose server returns this for every call. */
function serviceOf(status: number, body: string): { readonly service: RoomService; readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const unused = (): Promise<never> => Promise.reject(new Error('not used'));
  const http: HttpLink = {
    request: (request) => {
      requests.push(request);
      return Promise.resolve({ status, body, headers: {}, tookMs: 1 });
    },
    json: unused,
    text: unused,
    close: () => undefined,
  };
  const service = roomService({
    who: 'sfu',
    http,
    base: 'http://sfu:7880',
    apiKey: 'APIkey',
    apiSecret: () => 'secret',
    wall: () => 0,
  });
  return { service, requests };
}

function grantIn(request: HttpRequest | undefined): unknown {
  const claims = request?.headers?.Authorization?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { video: unknown }).video;
}

describe('RoomService', () => {
  it('grants each call the minimum', async () => {
    const { service, requests } = serviceOf(200, '{}');
    await service.listRooms();
    await service.listParticipants('stage 1');
    await service.deleteRoom('stage 1');
    expect(requests.map(({ method, url, body }) => [method, url.split('/').pop(), body])).toEqual([
      ['POST', 'ListRooms', '{}'],
      ['POST', 'ListParticipants', '{"room":"stage 1"}'],
      ['POST', 'DeleteRoom', '{"room":"stage 1"}'],
    ]);
    expect(requests.map(grantIn)).toEqual([
      { roomList: true },
      { roomAdmin: true, room: 'stage 1' },
      { roomCreate: true },
    ]);
  });

  it.each([
    ['<html></html>', 'not-json', 'an HTML page'],
    ['{"rooms":[{"name":"a"', 'not-json', 'incomplete JSON'],
    ['{"rooms":{}}', 'bad-answer', 'rooms'],
  ])('reports what it received instead of an answer: %s', async (body, code, part) => {
    const failure = serviceOf(200, body).service.listRooms();
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(part);
  });

  it('tolerates unknown fields', async () => {
    const { service } = serviceOf(
      200,
      '{"rooms":[{"name":"a","sid":"RM_a","future":{"x":1},"version":null}],"more":2}',
    );
    expect(await service.listRooms()).toMatchObject([{ name: 'a', num_participants: 0 }]);
  });
});

describe('OpenVidu 3', () => {
  it('reports its version, where its build is new enough', async () => {
    const info =
      '{"service":"openvidu-livekit-server","version":"3.9.0","gitCommit":"x","buildDate":"y","edition":"ce"}';
    const { service, requests } = serviceOf(200, info);
    expect(await service.openvidu()).toBe('OpenVidu 3.9.0 (ce)');
    expect(requests[0]?.url).toBe('http://sfu:7880/twirp/info');
    expect(grantIn(requests[0])).toEqual({ roomList: true });
  });

  it.each([
    [404, '404 page not found'],
    [200, '<html></html>'],
    [200, '{"service":"else","version":"1"}'],
  ])('is undefined for %i %s', async (status, body) => {
    expect(await serviceOf(status, body).service.openvidu()).toBeUndefined();
  });
});
