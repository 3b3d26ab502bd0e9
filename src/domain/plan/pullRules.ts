import { sampleSource, type Plan, type Audience } from '../model/plan';
import type { PullProtocol } from '../model/protocols';

/** Whether the protocol has a choice of fidelity: only WHEP, which only agents pull. */
export const supportsFidelity = (protocol: PullProtocol | undefined): boolean => protocol === 'whep';

/** Whether viewers of the protocol can use ICE over TCP. */
export const supportsTransport = (protocol: PullProtocol | undefined): boolean =>
  protocol === 'whep' || protocol === 'livekit' || protocol === 'wcs';

/** Why an audience can't have its transport, one sentence; undefined if it can. */
export function transportFault({ transport, protocol }: Pick<Audience, 'transport' | 'protocol'>): string | undefined {
  return transport === 'tcp' && !supportsTransport(protocol)
    ? `Only WebRTC has a choice of transport, ${protocol} does not. Remove it.`
    : undefined;
}

/** Whether viewers of the protocol can do without video. */
export const supportsAudioOnly = (protocol: PullProtocol | undefined): boolean =>
  protocol !== undefined && protocol !== 'mjpeg' && protocol !== 'turn';

/** Why an audience can't receive these tracks, one sentence; undefined if it can. */
export function tracksFault({
  tracks,
  protocol,
  rooms,
}: Pick<Audience, 'tracks' | 'protocol' | 'rooms'>): string | undefined {
  if (tracks !== 'audio') return undefined;
  if (rooms) return 'Participants of rooms receive audio and video. Remove "tracks".';
  return supportsAudioOnly(protocol) ? undefined : `${protocol} has no audio. Remove "tracks".`;
}

/** Whether viewers of the protocol choose a participant and a layer of its video. */
export const supportsLayers = (protocol: PullProtocol | undefined): boolean => protocol === 'livekit';

type LayersField = 'participant' | 'videos' | 'adaptiveStream';

/** The field by which an audience can't choose what it receives, and why; undefined if it can. */
export function layersFault({
  participant,
  videos,
  adaptiveStream,
  tracks,
  protocol,
  rooms,
}: Pick<Audience, LayersField | 'tracks' | 'protocol' | 'rooms'>):
  { readonly field: LayersField; readonly sentence: string } | undefined {
  const chosen = { videos, adaptiveStream, participant };
  const [field] = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : (name as LayersField)));
  if (field === undefined) return undefined;
  if (!supportsLayers(protocol))
    return { field, sentence: `Only LiveKit has "${field}", ${protocol} does not. Remove it.` };
  if (rooms) return { field, sentence: `Participants of rooms receive all others. Remove "${field}".` };
  if (field !== 'participant' && tracks === 'audio')
    return { field, sentence: `Viewers of audio receive no video. Remove "${field}" or "tracks".` };
  if (videos !== undefined && (adaptiveStream !== undefined || participant !== undefined))
    return {
      field,
      sentence: `Viewers of several videos receive those of all participants completely. Remove "videos", or "participant" and "adaptiveStream".`,
    };
  return undefined;
}

/** The size of an element as `640x360`, in pixels; undefined for any other text. */
export function elementSize(text: string): { readonly width: number; readonly height: number } | undefined {
  const [width, height] = (/^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(text)?.slice(1) ?? []).map(Number);
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** Whether viewers of the protocol can send CMCD. */
export const supportsCmcd = (protocol: PullProtocol | undefined): boolean => protocol === 'hls' || protocol === 'dash';

/** Whether viewers of the protocol can be participants of rooms. */
export const supportsRooms = (protocol: PullProtocol | undefined): boolean => protocol === 'livekit';

/** Why an audience can't have its fidelity, one sentence; undefined if it can. */
export function fidelityFault({ fidelity, protocol }: Pick<Audience, 'fidelity' | 'protocol'>): string | undefined {
  return fidelity === 'browser' && !supportsFidelity(protocol)
    ? `Only WHEP supports browser fidelity, ${protocol} does not. Remove it.`
    : undefined;
}

/** Whether a plan publishes the sample as the stream of an audience. */
export const publishesSample = ({ publish }: Plan, { stream, from }: Pick<Audience, 'stream' | 'from'>): boolean =>
  publish.some((each) => each.stream === stream && each.node === from && each.source === sampleSource);

/** Why an audience can't pull several streams; undefined if it can. */
export function streamsFault({
  streams,
  rooms,
  protocol,
}: Pick<Audience, 'streams' | 'rooms' | 'protocol'>): string | undefined {
  if (streams === undefined) return undefined;
  if (rooms) return 'Rooms have numbers already. Remove "streams".';
  return protocol === 'wcs' ? 'Viewers over WCS pull one stream. Remove "streams".' : undefined;
}

/** What is wrong with an audience of rooms, and the faulty field as named in a plan; undefined if nothing is. */
export function roomsFault({
  rooms,
  protocol,
  viewers,
  stages,
  search,
}: Pick<Audience, 'rooms' | 'protocol' | 'viewers' | 'stages' | 'search'>):
  { readonly field: string; readonly sentence: string } | undefined {
  if (!rooms) return undefined;
  const { size } = rooms;
  if (!supportsRooms(protocol))
    return { field: 'rooms', sentence: `Only LiveKit has rooms, ${protocol} does not. Remove them.` };
  if (stages) return { field: 'stages', sentence: 'Rooms have no stages. Write viewers and rate, or a search.' };
  const isWhole = (participants: number): boolean => participants % size === 0;
  const uneven = search
    ? [search.fromViewers, search.maxViewers].find((each) => !isWhole(each))
    : isWhole(viewers)
      ? undefined
      : viewers;
  if (uneven === undefined) return undefined;
  return {
    field: search ? 'search' : 'viewers',
    sentence: `${uneven} participants do not fill rooms of ${size}. Write a multiple of ${size}, e.g. ${Math.ceil(uneven / size) * size}.`,
  };
}

/** The name of a room or stream by its number from 1: `{n}` in the name is replaced, else the number is appended. */
export function numberedName(name: string, number: number): string {
  return name.includes('{n}') ? name.replaceAll('{n}', String(number)) : `${name}-${number}`;
}

/** Whether the protocol has sessions without media. */
export const supportsWithoutMedia = (protocol: PullProtocol | undefined): boolean => protocol === 'wcs';

/** Why an audience can't have sessions without media, one sentence; undefined if it can. */
export function withoutMediaFault({
  withoutMedia,
  protocol,
  network,
  turn,
  transport,
  tracks,
}: Pick<Audience, 'withoutMedia' | 'protocol' | 'network' | 'turn' | 'transport' | 'tracks'>): string | undefined {
  if (!withoutMedia) return undefined;
  if (!supportsWithoutMedia(protocol))
    return `Only WCS has sessions without media, ${protocol} does not. Remove "withoutMedia".`;
  return network || turn || transport === 'tcp' || tracks === 'audio'
    ? 'Sessions without media use neither a simulated network nor a TURN server, and receive no tracks. Remove "network", "turn", "transport" and "tracks", or "withoutMedia".'
    : undefined;
}
