import type * as LiveKit from 'livekit-client';
import type { RoomConnectOptions, RoomOptions } from 'livekit-client';
import type { StatsEntry } from '../figures/playerStats';

/** In place of the token, which only the engine has: it puts one in when it opens the connection. */
export const tokenOfEngine = 'engine';

/** Layers are chosen by hand, and not by the size of an element; all of a publication are sent. */
export const roomOptions: RoomOptions = { adaptiveStream: false, dynacast: false, disconnectOnPageLeave: false };

/** No STUN or TURN server of the room: load and checks stay between this machine and the server. */
export const connectOptions: RoomConnectOptions = {
  autoSubscribe: false,
  rtcConfig: { iceServers: [] },
  maxRetries: 0,
};

/** Loaded on demand: it is larger than the rest of the window. Its log has nothing that its events do not report. */
export async function loadLiveKit(): Promise<typeof LiveKit> {
  const library = await import('livekit-client');
  library.setLogLevel('silent');
  return library;
}

/** Merges the reports of a room's tracks, which share one connection: what several of them contain counts once. */
export function entriesOf(reports: readonly (RTCStatsReport | undefined)[]): readonly StatsEntry[] {
  const entries = new Map<string, StatsEntry>();
  for (const report of reports) report?.forEach((entry: StatsEntry, id) => entries.set(id, entry));
  return [...entries.values()];
}
