import { noPublisher, type StreamView } from '../../../domain/model/node';
import type { Participant, Room } from './responses';
import { isOwnParticipant } from './viewerTokens';

/** A room's participants when they were last listed. */
export interface RoomDetail {
  readonly participants: readonly Participant[];
  /** Listed by the current poll. */
  readonly isFresh: boolean;
}

const maxNames = 3;
/** Records or composes a room for a server; not a viewer. */
const machineKinds = new Set(['EGRESS', 'AGENT']);

/** Receives media, and publishes nothing unless it is a participant of our rooms: `ACTIVE` means connected, unlike `JOINING` and `JOINED`. */
function isViewer({ identity, tracks, state, kind, permission }: Participant): boolean {
  return (
    (tracks.length === 0 || isOwnParticipant(identity)) &&
    state === 'ACTIVE' &&
    !machineKinds.has(kind) &&
    permission?.can_subscribe !== false &&
    permission?.recorder !== true
  );
}

const publishersOf = (participants: readonly Participant[]): readonly Participant[] =>
  participants.filter(({ tracks }) => tracks.length > 0);

function sourceOf(participants: readonly Participant[]): string {
  const names = publishersOf(participants).map(({ identity, kind }) =>
    kind === 'INGRESS' ? `${identity} (ingress)` : identity,
  );
  if (names.length === 0) return noPublisher;
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

const codecNames: Readonly<Record<string, string>> = {
  h264: 'H.264',
  h265: 'H.265',
  opus: 'Opus',
  // Opus with redundancy, RFC 2198.
  red: 'Opus (RED)',
};

/** `video/VP8` in its usual spelling. */
function codecOf(mimeType: string): string | undefined {
  const name = mimeType.split('/')[1];
  return name ? (codecNames[name.toLowerCase()] ?? name.toUpperCase()) : undefined;
}

/**
 * Codecs and size of what the room's first publishers send; the largest of several pictures. Layers' bitrates are
 * targets and left out.
 */
function mediaOf(
  participants: readonly Participant[],
): Pick<StreamView, 'videoCodec' | 'audioCodec' | 'width' | 'height'> {
  const tracks = participants.flatMap((participant) => participant.tracks);
  const videos = tracks.filter(({ type, mime_type }) => type === 'VIDEO' || mime_type.startsWith('video/'));
  const audio = tracks.find(({ type, mime_type }) => type === 'AUDIO' || mime_type.startsWith('audio/'));
  const [video] = [...videos].sort((a, b) => b.width * b.height - a.width * a.height);
  const videoCodec = video && codecOf(video.mime_type);
  const audioCodec = audio && codecOf(audio.mime_type);
  return {
    ...(videoCodec ? { videoCodec } : {}),
    ...(audioCodec ? { audioCodec } : {}),
    ...(video && video.width > 0 && video.height > 0 ? { width: video.width, height: video.height } : {}),
  };
}

function ageOf({ creation_time_ms, creation_time }: Room, nowMs: number): { readonly ageMs?: number } {
  // Zero means that the time is unset.
  const sinceMs = creation_time_ms || (creation_time ?? 0) * 1000;
  return sinceMs > 0 && nowMs >= sinceMs ? { ageMs: nowMs - sinceMs } : {};
}

/** A room as a stream. Without details its source, codecs and size are unknown. */
export function roomView(room: Room, detail: RoomDetail | undefined, nowMs: number): StreamView {
  const isOwn = detail?.participants.some(({ identity }) => isOwnParticipant(identity)) === true;
  const counted = isOwn ? room.num_participants : Math.max(0, room.num_participants - room.num_publishers);
  return {
    stream: room.name,
    source: detail ? sourceOf(detail.participants) : '',
    viewers: detail?.isFresh ? detail.participants.filter(isViewer).length : counted,
    ...(detail ? mediaOf(detail.participants) : {}),
    ...ageOf(room, nowMs),
  };
}

/** Clients connected to a room: exact where its participants are fresh, else the room's own count, which lags. */
export function connectionsOf(room: Room, detail: RoomDetail | undefined): number {
  return detail?.isFresh ? detail.participants.length : room.num_participants;
}
