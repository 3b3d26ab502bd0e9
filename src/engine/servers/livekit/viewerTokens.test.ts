import { describe, expect, it } from 'vitest';
import { isOwnParticipant, participantTokens, roomPublisher, viewerTokens } from './viewerTokens';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const tokens = viewerTokens({ apiKey: 'APIkey', apiSecret: () => 'the secret', wall: () => nowMs }, 'stage 1');
const claims = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

describe('viewer tokens', () => {
  it('let each watch the room with its own identity, hidden and without publishing', () => {
    const [first, second, ...others] = tokens(2, 60_000).map(claims);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      iss: 'APIkey',
      sub: expect.stringMatching(/^fullhouse-[0-9a-f]{8}-1$/) as string,
      video: { roomJoin: true, room: 'stage 1', canPublish: false, canPublishData: false, hidden: true },
    });
    expect((second as { sub: string }).sub).toMatch(/-2$/);
  });

  it('have new identities each time, since joining with a present identity disconnects the other participant', () => {
    const [first] = tokens(1, 0).map(claims) as { sub: string }[];
    const [second] = tokens(1, 0).map(claims) as { sub: string }[];
    expect(first?.sub).not.toBe(second?.sub);
  });

  it('stay valid until the last viewer connects, plus the usual validity', () => {
    const [token] = tokens(1, 3_600_000).map(claims);
    expect(token).toMatchObject({ exp: nowMs / 1000 + 3600 + 600 });
  });
});

it('tokens of participants are for their rooms, may publish, and are recognised as ours', () => {
  const list = participantTokens({ apiKey: 'APIkey', apiSecret: () => 'the secret', wall: () => nowMs })(
    ['one', 'two'],
    0,
  ).map(claims) as { sub: string; video: object }[];
  expect(list.map(({ video }) => video)).toEqual(
    ['one', 'two'].map((room) => ({ roomJoin: true, room, canPublish: true, canPublishData: false })),
  );
  expect(list.map(({ sub }) => isOwnParticipant(sub))).toEqual([true, true]);
  expect(isOwnParticipant((tokens(1, 0).map(claims)[0] as { sub: string }).sub)).toBe(false);
});

it('the token of a publisher of the window may only publish in its room, and its participant is removed at the end', async () => {
  const removed: unknown[] = [];
  const signer = { apiKey: 'APIkey', apiSecret: () => 'the secret', wall: () => nowMs };
  const service = { removeParticipant: (...who: unknown[]) => Promise.resolve(void removed.push(who)) };
  const { token, end } = roomPublisher(signer, service, 'stage 1', 3_600_000);
  const { sub, ...rest } = claims(token) as { sub: string };
  expect(rest).toMatchObject({
    exp: nowMs / 1000 + 3600,
    video: { roomJoin: true, room: 'stage 1', canPublish: true, canSubscribe: false, canPublishData: false },
  });
  await end();
  expect(removed).toEqual([['stage 1', sub]]);
});
