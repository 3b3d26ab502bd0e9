import { FullhouseError } from '../../../contract/calls';
import { eachOf } from '../../base/eachOf';
import type { Participant, Room } from './responses';
import { connectionsOf, roomView, type RoomDetail } from './roomViews';
import type { RoomService } from './roomService';
import type { StreamView } from '../../../domain/model/node';

/** Rooms whose participants are listed in one poll, so that 500 rooms are not 500 requests a second. */
const roomsPerPoll = 16;
const atOnce = 4;

export interface RoomsSnapshot {
  readonly streams: readonly StreamView[];
  readonly viewers: number;
  readonly connections: number;
}

interface Known {
  readonly sid: string;
  readonly participants: readonly Participant[];
  readonly poll: number;
}

/**
 * Reads all rooms and, in turn, some rooms' participants. With more rooms than one poll covers, the others keep their
 * last known participants and the room's own viewer count.
 */
export function roomsReader(
  service: RoomService,
  wall: () => number,
  remark?: (sentence: string) => void,
): () => Promise<RoomsSnapshot> {
  let known = new Map<string, Known>();
  let poll = 0;
  return async () => {
    const thisPoll = (poll += 1);
    const rooms = await service.listRooms();
    // A recreated room of the same name is a different room.
    const detailOf = ({ name, sid }: Room): Known | undefined => {
      const detail = known.get(name);
      return detail?.sid === sid ? detail : undefined;
    };
    const inTurn = [...rooms]
      .sort((a, b) => (detailOf(a)?.poll ?? 0) - (detailOf(b)?.poll ?? 0))
      .slice(0, roomsPerPoll);
    const next = new Map<string, Known>();
    for (const room of rooms) {
      const detail = detailOf(room);
      if (detail) next.set(room.name, detail);
    }
    await eachOf(inTurn, atOnce, async ({ name, sid }) => {
      try {
        next.set(name, { sid, participants: await service.listParticipants(name), poll: thisPoll });
      } catch (error) {
        // This room keeps its own counts; the others are read all the same.
        if (!(error instanceof FullhouseError) || error.code !== 'bad-answer') throw error;
        remark?.(error.message);
      }
    });
    known = next;
    const views = rooms.map((room) => {
      const detail = next.get(room.name);
      const current: RoomDetail | undefined = detail && {
        participants: detail.participants,
        isFresh: detail.poll === thisPoll,
      };
      return { view: roomView(room, current, wall()), connections: connectionsOf(room, current) };
    });
    return {
      streams: views.map(({ view }) => view),
      viewers: views.reduce((sum, { view }) => sum + (view.viewers ?? 0), 0),
      connections: views.reduce((sum, { connections }) => sum + connections, 0),
    };
  };
}
