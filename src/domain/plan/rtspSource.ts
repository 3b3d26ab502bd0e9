import { typedPassword, withoutPassword } from '../node/typedPassword';
import type { PlanPublish } from '../model/plan';

/** Whether a source is the RTSP address of a camera, which the origin pulls itself. */
export const isRtspSource = (source: string): boolean => /^rtsps?:\/\//i.test(source);

/** Why a stream can't be pulled from an RTSP address, one sentence; undefined if it can. */
export function rtspFault({
  stream,
  source,
  publishers,
  protocol,
  by,
}: Pick<PlanPublish, 'stream' | 'source' | 'publishers' | 'protocol' | 'by'>): string | undefined {
  if (!isRtspSource(source)) return undefined;
  if (!/^rtsps?:\/\/(?:\[[\da-f:.]+\]|[^\s/?#@:[]+)(:\d+)?([/?#]\S*)?$/i.test(withoutPassword(source)))
    return 'This is not an RTSP address; write it like rtsp://camera.example:554/stream.';
  if (typedPassword(source))
    return 'The address has a password, which the server would list as part of the stream’s name. Remove it, or write "source: external" and start the camera at the server.';
  if (by !== undefined) return 'The origin pulls an RTSP address itself. Remove "by".';
  if (publishers !== undefined) return 'An RTSP address is one stream. Remove "publishers".';
  if (protocol !== undefined) return 'An RTSP address has its protocol already. Remove "protocol".';
  return stream === source
    ? undefined
    : `The server names the stream by its address: write "${source}" as its name too, here and where it is pulled.`;
}
