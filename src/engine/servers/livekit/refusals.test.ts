import { describe, expect, it } from 'vitest';
import { refusal } from './refusals';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJkZXZrZXkifQ.op7tSS0tYedMoHueg2LvA2Nl';

function sentenceFor(status: number, body: string, date = 'Sat, 21 Nov 2026 12:00:00 GMT'): [string, string] {
  const { code, message } = refusal({
    who: 'sfu',
    method: 'ListRooms',
    grant: 'roomList',
    apiKey: 'devkey',
    nowMs,
    answer: { status, body, headers: { date }, tookMs: 1 },
  });
  return [code, message];
}

describe('what LiveKit refuses', () => {
  it.each([
    [401, 'invalid API key: devkey', 'livekit-key', 'knows no API key "devkey"'],
    [
      401,
      `invalid token: ${token}, error: go-jose/go-jose: error in cryptographic primitive`,
      'livekit-secret',
      'the API secret does not belong to the key "devkey"; enter the secret again',
    ],
    [
      401,
      '{"code":"unauthenticated","msg":"permissions denied"}',
      'livekit-grant',
      'does not allow ListRooms although the token grants roomList',
    ],
    [401, 'invalid authorization token', 'livekit-token', 'does not take our token for ListRooms'],
    [
      404,
      '{"code":"bad_route","msg":"no handler for path","meta":{}}',
      'livekit-version',
      'this LiveKit has no ListRooms; it may be too old',
    ],
    [
      404,
      '{"code":"not_found","msg":"twirp error unknown: requested room does not exist"}',
      'livekit-not_found',
      'requested room does not exist (not_found)',
    ],
    [404, '<html>nginx</html>', 'http-404', 'there is no API of LiveKit at this address'],
    [503, '', 'http-503', 'the server itself is in trouble'],
    [302, '', 'http-302', "not LiveKit's way"],
  ])('%i %s', (status, body, code, part) => {
    const [gotCode, sentence] = sentenceFor(status, body);
    expect(gotCode).toBe(code);
    expect(sentence).toContain(part);
    expect(sentence).toMatch(/^sfu: .*\.$/);
  });

  it('tells by how much the clocks differ, and which is ahead', () => {
    const invalid = `invalid token: ${token}, error: go-jose/go-jose/jwt: validation failed, token`;
    expect(sentenceFor(401, `${invalid} is expired (exp)`, 'Sat, 21 Nov 2026 12:25:00 GMT')).toEqual([
      'clock-skew',
      "sfu: LiveKit takes our token for expired: its clock is ahead of this machine's by 25 min. Set both clocks by NTP.",
    ]);
    expect(sentenceFor(401, `${invalid} not valid yet (nbf)`, 'Sat, 21 Nov 2026 11:30:00 GMT')[1]).toBe(
      "sfu: LiveKit takes our token for not valid yet: its clock is behind this machine's by 30 min. Set both clocks by NTP.",
    );
    expect(sentenceFor(401, `${invalid} is expired (exp)`, 'whenever')[1]).toContain(
      "ahead of this machine's. Set",
    );
  });

  it('never shows the token that LiveKit sends back', () => {
    for (const error of ['error in cryptographic primitive', 'is expired (exp)', 'something new'])
      expect(sentenceFor(401, `invalid token: ${token}, error: ${error}`)[1]).not.toContain(
        token.slice(0, 12),
      );
  });
});
