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

describe('calls that LiveKit refuses', () => {
  it.each([
    [401, 'invalid API key: devkey', 'livekit-key', 'API key "devkey" is unknown to LiveKit'],
    [
      401,
      `invalid token: ${token}, error: go-jose/go-jose: error in cryptographic primitive`,
      'livekit-secret',
      'the API secret does not match the key "devkey"; enter the secret again',
    ],
    [
      401,
      '{"code":"unauthenticated","msg":"permissions denied"}',
      'livekit-grant',
      'refused ListRooms although the token grants roomList',
    ],
    [401, 'invalid authorization token', 'livekit-token', 'rejected the token for ListRooms'],
    [
      404,
      '{"code":"bad_route","msg":"no handler for path","meta":{}}',
      'livekit-version',
      'this LiveKit has no ListRooms call; it may be too old',
    ],
    [
      404,
      '{"code":"not_found","msg":"twirp error unknown: requested room does not exist"}',
      'livekit-not_found',
      'requested room does not exist (not_found)',
    ],
    [404, '<html>nginx</html>', 'http-404', 'no LiveKit API at this address'],
    [503, '', 'http-503', 'server error'],
    [302, '', 'http-302', 'not a LiveKit response'],
  ])('%i %s', (status, body, code, part) => {
    const [gotCode, sentence] = sentenceFor(status, body);
    expect(gotCode).toBe(code);
    expect(sentence).toContain(part);
    expect(sentence).toMatch(/^sfu: .*\.$/);
  });

  it('reports by how much the clocks differ, and which is ahead', () => {
    const invalid = `invalid token: ${token}, error: go-jose/go-jose/jwt: validation failed, token`;
    expect(sentenceFor(401, `${invalid} is expired (exp)`, 'Sat, 21 Nov 2026 12:25:00 GMT')).toEqual([
      'clock-skew',
      "sfu: LiveKit rejected the token as expired: its clock is 25 min ahead of this machine's. Synchronise both clocks by NTP.",
    ]);
    expect(sentenceFor(401, `${invalid} not valid yet (nbf)`, 'Sat, 21 Nov 2026 11:30:00 GMT')[1]).toBe(
      "sfu: LiveKit rejected the token as not valid yet: its clock is 30 min behind this machine's. Synchronise both clocks by NTP.",
    );
    expect(sentenceFor(401, `${invalid} is expired (exp)`, 'whenever')[1]).toContain(
      "its clock is ahead of this machine's. Synchronise",
    );
  });

  it('never shows the token that LiveKit echoes', () => {
    for (const error of ['error in cryptographic primitive', 'is expired (exp)', 'something new'])
      expect(sentenceFor(401, `invalid token: ${token}, error: ${error}`)[1]).not.toContain(token.slice(0, 12));
  });
});
