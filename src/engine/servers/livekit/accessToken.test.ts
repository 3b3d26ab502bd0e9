import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accessToken } from './accessToken';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const made = accessToken({ apiKey: 'APIkey', apiSecret: 'the secret', video: { roomList: true }, nowMs });
const read = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));

describe('accessToken', () => {
  it('is a JWT valid from ten minutes ago to ten minutes ahead, to allow for clock skew', () => {
    const [header, claims] = made.split('.');
    expect(read(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(read(claims)).toEqual({
      iss: 'APIkey',
      nbf: nowMs / 1000 - 600,
      exp: nowMs / 1000 + 600,
      video: { roomList: true },
    });
  });

  it('is signed over both parts, base64url-encoded', () => {
    const [header, claims, signature] = made.split('.');
    const expected = createHmac('sha256', 'the secret').update(`${header}.${claims}`).digest('base64');
    expect(signature).toBe(expected.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, ''));
  });

  it('contains the identity', () => {
    const token = accessToken({
      apiKey: 'k',
      apiSecret: 's',
      video: { roomJoin: true, room: 'lab' },
      identity: 'viewer 1',
      nowMs,
    });
    expect(read(token.split('.')[1])).toMatchObject({
      sub: 'viewer 1',
      video: { roomJoin: true, room: 'lab' },
    });
  });
});
