import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { participantsResponse, roomsResponse, type Participant, type Room } from './responses';
import { connectionsOf, roomView } from './roomViews';

const captured = (name: string): unknown =>
  JSON.parse(
    readFileSync(join(__dirname, '..', '..', '..', '..', 'tests', 'fixtures', 'livekit', `${name}.json`), 'utf8'),
  );
const rooms = (name: string): Room[] => roomsResponse.parse(captured(name)).rooms;
const { participants } = participantsResponse.parse(captured('ListParticipants-1pub-2sub'));
const [lab] = rooms('ListRooms-1pub-2sub') as [Room];
const [left] = rooms('ListRooms-after-leave') as [Room];
const nowMs = 1795253312000;

const someone = (over: Partial<Participant> = {}): Participant => ({
  identity: 'someone',
  state: 'ACTIVE',
  tracks: [],
  kind: 'STANDARD',
  ...over,
});
const video = (mime_type: string, width = 0, height = 0): Participant['tracks'][number] => ({
  type: 'VIDEO',
  mime_type,
  width,
  height,
});
const viewersOf = (...there: readonly Participant[]): number | undefined =>
  roomView(lab, { participants: there, isFresh: true }, nowMs).viewers;

describe('a room as a stream', () => {
  it('has publishers, viewers, codecs and size, as captured from a real server', () => {
    expect(roomView(lab, { participants, isFresh: true }, nowMs)).toEqual({
      stream: 'lab',
      source: 'pub-1',
      viewers: 2,
      videoCodec: 'VP8',
      audioCodec: 'Opus (RED)',
      width: 1280,
      height: 720,
      ageMs: nowMs - 1795253286012,
    });
  });

  it('reads 64-bit integers as strings and as numbers', () => {
    expect(lab.creation_time_ms).toBe(1795253286012);
    const [seconds] = roomsResponse.parse({ rooms: [{ name: 'old', creation_time: 1795253286 }] }).rooms as [Room];
    expect(roomView(seconds, undefined, nowMs).ageMs).toBe(nowMs - 1795253286000);
    expect(roomsResponse.safeParse({ rooms: [{ name: 'x', creation_time: 'soon' }] }).success).toBe(false);
  });

  it("has no age when the server's clock is ahead", () => {
    expect(roomView(lab, undefined, 1795253286000)).not.toHaveProperty('ageMs');
  });

  it("counts the participants when they are fresh: the room's own count lags, as captured 3 s after all had disconnected", () => {
    expect(left.num_participants).toBe(2);
    expect(roomView(left, { participants: [], isFresh: true }, nowMs)).toMatchObject({
      viewers: 0,
      source: 'no publisher',
    });
    expect(connectionsOf(left, { participants: [], isFresh: true })).toBe(0);
  });

  it("uses the room's own count where this poll did not list its participants, and keeps the last known media", () => {
    const older = { participants, isFresh: false };
    expect(roomView({ ...lab, num_participants: 40 }, older, nowMs)).toMatchObject({
      viewers: 39,
      videoCodec: 'VP8',
    });
    expect(connectionsOf({ ...lab, num_participants: 40 }, older)).toBe(40);
    expect(roomView(lab, undefined, nowMs)).toMatchObject({ source: '', viewers: 2 });
  });

  it('counts receivers as viewers: no recorder, no agent, no participant that only joined or may not subscribe', () => {
    expect(viewersOf(someone())).toBe(1);
    expect(viewersOf(someone({ state: 'JOINED' }), someone({ state: 'JOINING' }))).toBe(0);
    expect(viewersOf(someone({ kind: 'EGRESS' }), someone({ kind: 'AGENT' }))).toBe(0);
    const permission = { can_subscribe: true, hidden: false, recorder: false };
    expect(viewersOf(someone({ permission: { ...permission, can_subscribe: false } }))).toBe(0);
    expect(viewersOf(someone({ permission: { ...permission, recorder: true } }))).toBe(0);
    expect(viewersOf(someone({ tracks: [video('video/VP8')] }))).toBe(0);
  });

  it('names at most three publishers, marks an ingress, and takes the largest picture', () => {
    const publishers = ['a', 'b', 'c', 'd'].map((identity, index) =>
      someone({
        identity,
        kind: index === 1 ? 'INGRESS' : 'STANDARD',
        tracks: [video('video/H264', 320 * (index + 1), 180 * (index + 1))],
      }),
    );
    expect(roomView(lab, { participants: publishers, isFresh: true }, nowMs)).toMatchObject({
      source: 'a, b (ingress), c and 1 more',
      videoCodec: 'H.264',
      width: 1280,
      height: 720,
    });
  });

  it('leaves out an unknown size, as with a WHIP publisher', () => {
    const view = roomView(lab, { participants: [someone({ tracks: [video('video/AV1')] })], isFresh: true }, nowMs);
    expect(view.videoCodec).toBe('AV1');
    expect(view).not.toHaveProperty('width');
  });
});

describe('answers', () => {
  it('contain no rooms, and no participants of a room that does not exist', () => {
    expect(rooms('ListRooms-idle')).toEqual([]);
    expect(participantsResponse.parse({ participants: [] }).participants).toEqual([]);
    expect(participantsResponse.parse({}).participants).toEqual([]);
  });
});
