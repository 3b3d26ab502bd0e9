import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { participantsResponse, roomsResponse, type Participant, type Room } from './responses';
import type { RoomService } from './roomService';
import { roomsReader } from './roomsReader';

function roomsOf(count: number, over: Partial<Room> = {}): Room[] {
  const rooms = Array.from({ length: count }, (_, index) => ({
    name: `room ${index}`,
    sid: `RM_${index}`,
    ...over,
  }));
  return roomsResponse.parse({ rooms }).rooms;
}
const { participants: oneOfEach } = participantsResponse.parse({
  participants: [
    { identity: 'camera', state: 'ACTIVE', tracks: [{ type: 'VIDEO', mime_type: 'video/H264' }] },
    { identity: 'viewer', state: 'ACTIVE' },
  ],
});

interface StandIn {
  readonly service: RoomService;
  readonly asked: string[];
  /** Peak number of concurrent requests. */
  most: number;
  answer: (room: string) => readonly Participant[];
  rooms: Room[];
}

/** A server with these rooms that records the requests. */
function standIn(rooms: Room[]): StandIn {
  let running = 0;
  const seen: StandIn = {
    rooms,
    asked: [],
    most: 0,
    answer: () => oneOfEach,
    service: {
      listRooms: () => Promise.resolve(seen.rooms),
      listParticipants: async (room: string) => {
        seen.asked.push(room);
        running += 1;
        seen.most = Math.max(seen.most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return seen.answer(room);
      },
      removeParticipant: () => Promise.resolve(),
      deleteRoom: () => Promise.resolve(),
      openvidu: () => Promise.resolve(undefined),
    },
  };
  return seen;
}

describe('500 rooms', () => {
  it('have their participants listed in turn, 16 per poll and four at a time', async () => {
    const server = standIn(roomsOf(500));
    const read = roomsReader(server.service, () => 0);
    await read();
    expect(server.asked).toHaveLength(16);
    for (let tick = 1; tick < 32; tick += 1) await read();
    expect(server.asked).toHaveLength(32 * 16);
    expect(new Set(server.asked).size).toBe(500);
    expect(server.most).toBe(4);
  });

  it("keep their last known details until their turn, and use the room's viewer count meanwhile", async () => {
    const server = standIn(roomsOf(20, { num_participants: 9, num_publishers: 2 }));
    const read = roomsReader(server.service, () => 0);
    const first = await read();
    expect(first.streams.filter(({ videoCodec }) => videoCodec === 'H.264')).toHaveLength(16);
    expect([first.viewers, first.connections]).toEqual([16 * 1 + 4 * 7, 16 * 2 + 4 * 9]);
    const second = await read();
    expect(second.streams.every(({ videoCodec }) => videoCodec === 'H.264')).toBe(true);
    expect(second.viewers).toBe(16 * 1 + 4 * 7);
  });
});

describe('a room', () => {
  it('that is recreated under its old name has no details of the old one', async () => {
    const server = standIn(roomsOf(20));
    const read = roomsReader(server.service, () => 0);
    await read();
    await read();
    server.rooms = roomsOf(20, { sid: 'RM_new' });
    server.answer = () => [];
    const { streams } = await read();
    expect(streams.filter(({ source }) => source === 'no publisher')).toHaveLength(16);
    expect(streams.filter(({ source }) => source === '')).toHaveLength(4);
    expect(streams.some(({ videoCodec }) => videoCodec)).toBe(false);
  });

  it('that is gone is not listed, and no rooms give an empty list', async () => {
    const server = standIn(roomsOf(3));
    const read = roomsReader(server.service, () => 0);
    await read();
    server.rooms = [];
    expect(await read()).toEqual({ streams: [], viewers: 0, connections: 0 });
  });

  it('whose participants are refused fails the poll with that message', async () => {
    const server = standIn(roomsOf(3));
    server.answer = () => {
      throw new FullhouseError('livekit-grant', 'sfu: not allowed.');
    };
    await expect(roomsReader(server.service, () => 0)()).rejects.toThrow('sfu: not allowed.');
  });
});
