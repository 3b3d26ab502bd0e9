import type { Participant, Room } from './answers';
import { connectionsOf, roomView, type RoomDetail } from './roomViews';
import type { RoomService } from './roomService';
import type { StreamView } from '../../../domain/node';

/** Rooms whose participants are asked for in one beat, so that 500 rooms are no 500 requests a second. */
const roomsPerBeat = 16;
const atOnce = 4;

export interface RoomsNow {
  readonly streams: readonly StreamView[];
  readonly viewers: number;
  readonly connections: number;
}

interface Known {
  readonly sid: string;
  readonly participants: readonly Participant[];
  readonly beat: number;
}

/**
 * Reads all rooms and, in turn, some rooms' participants. With more rooms than one beat takes, the others keep what was
 * last known of them and the viewers that the room itself counts.
 */
export function roomsReader(service: RoomService, wall: () => number): () => Promise<RoomsNow> {
  let known = new Map<string, Known>();
  let beat = 0;
  return async () => {
    const thisBeat = (beat += 1);
    const rooms = await service.listRooms();
    // A room of the same name that is made anew is another room.
    const detailOf = ({ name, sid }: Room): Known | undefined => {
      const detail = known.get(name);
      return detail?.sid === sid ? detail : undefined;
    };
    const inTurn = [...rooms]
      .sort((a, b) => (detailOf(a)?.beat ?? 0) - (detailOf(b)?.beat ?? 0))
      .slice(0, roomsPerBeat);
    const next = new Map<string, Known>();
    for (const room of rooms) {
      const detail = detailOf(room);
      if (detail) next.set(room.name, detail);
    }
    await eachOf(inTurn, atOnce, async ({ name, sid }) => {
      next.set(name, { sid, participants: await service.listParticipants(name), beat: thisBeat });
    });
    known = next;
    const views = rooms.map((room) => {
      const detail = next.get(room.name);
      const asked: RoomDetail | undefined = detail && {
        participants: detail.participants,
        isFresh: detail.beat === thisBeat,
      };
      return { view: roomView(room, asked, wall()), connections: connectionsOf(room, asked) };
    });
    return {
      streams: views.map(({ view }) => view),
      viewers: views.reduce((sum, { view }) => sum + (view.viewers ?? 0), 0),
      connections: views.reduce((sum, { connections }) => sum + connections, 0),
    };
  };
}

/** Does `act` for every item, at most `limit` at a time; rejects with the first failure. */
async function eachOf<T>(items: readonly T[], limit: number, act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
