import { noPublisher, type StreamView } from '../../../domain/model/node';
import type { Connection, OpenViduSession } from './responses';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

const maxNames = 3;

const sessionName = ({ id, sessionId }: OpenViduSession): string => id ?? sessionId ?? '';
const publishersOf = ({ publishers }: Connection): NonNullable<Connection['publishers']> => publishers ?? [];

/** Active connections; a pending one is only a token. */
export function connectionsOf(session: OpenViduSession): readonly Connection[] {
  return (session.connections?.content ?? []).filter(({ status }) => status === 'active');
}

export const isViewer = ({ subscribers }: Connection): boolean => (subscribers?.length ?? 0) > 0;

/** A session as a stream; its viewers are the connections that subscribe to anything in it, publishers among them. */
export function sessionView(session: OpenViduSession, nowMs: number): StreamView {
  const connections = connectionsOf(session);
  const codec = codecOf(session);
  return {
    stream: sessionName(session),
    source: sourceOf(connections),
    viewers: connections.filter(isViewer).length,
    ...(codec ? { videoCodec: codec } : {}),
    ...sizeOf(connections),
    ...(session.createdAt && nowMs >= session.createdAt ? { ageMs: nowMs - session.createdAt } : {}),
  };
}

function sourceOf(connections: readonly Connection[]): string {
  const names = connections.filter((connection) => publishersOf(connection).length > 0).map(nameOf);
  if (names.length === 0) return noPublisher;
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

/** The participant's name in the application, else the connection's id. */
function nameOf(connection: Connection): string {
  const name = clientName(connection.clientData) ?? connection.id ?? connection.connectionId ?? 'someone';
  if (connection.type === 'IPCAM') return `${name} (IP camera)`;
  const isScreen = publishersOf(connection).some(({ mediaOptions }) => mediaOptions?.typeOfVideo === 'SCREEN');
  return isScreen ? `${name} (screen)` : name;
}

/** Applications pass `{"clientData":"Ann"}` by convention, some the bare name; anything longer is not a name. */
function clientName(data: string | null | undefined): string | undefined {
  const text = data?.trim() ?? '';
  const parsed = jsonOf(text);
  const name = typeof parsed === 'object' && parsed !== null && 'clientData' in parsed ? parsed.clientData : text;
  return typeof name === 'string' && name !== '' && name.length <= 60 && !/^[[{]/.test(name) ? name : undefined;
}

function codecOf({ forcedVideoCodec, forcedVideoCodecResolved }: OpenViduSession): string | undefined {
  const codec = forcedVideoCodecResolved ?? forcedVideoCodec;
  // Any other value leaves the codec to the browsers.
  if (!codec || !/^(VP8|VP9|H264)$/.test(codec)) return undefined;
  return codec === 'H264' ? 'H.264' : codec;
}

/** The largest picture. Frame rates are the publisher's targets and left out. */
function sizeOf(connections: readonly Connection[]): { readonly width?: number; readonly height?: number } {
  const sizes = connections
    .flatMap(publishersOf)
    .flatMap(({ mediaOptions }) => {
      const size = mediaOptions?.hasVideo === false ? undefined : jsonOf(mediaOptions?.videoDimensions ?? '');
      if (typeof size !== 'object' || size === null) return [];
      const { width, height } = size as { width?: unknown; height?: unknown };
      return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
        ? [{ width, height }]
        : [];
    })
    .sort((a, b) => b.width * b.height - a.width * a.height);
  return sizes[0] ?? {};
}

function jsonOf(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}
