import { sampleSource, type Plan, type Audience } from '../model/plan';

/** Why an audience can't receive these tracks, one sentence; undefined if it can. */
export function tracksFault({ tracks, rooms }: Pick<Audience, 'tracks' | 'rooms'>): string | undefined {
  return tracks === 'audio' && rooms ? 'Participants of rooms receive audio and video. Remove "tracks".' : undefined;
}

type LayersField = 'participant' | 'videos' | 'adaptiveStream';

/** The field by which an audience can't choose what it receives, and why; undefined if it can. */
export function layersFault({
  participant,
  videos,
  adaptiveStream,
  tracks,
  rooms,
}: Pick<Audience, LayersField | 'tracks' | 'rooms'>):
  { readonly field: LayersField; readonly sentence: string } | undefined {
  const chosen = { videos, adaptiveStream, participant };
  const [field] = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : (name as LayersField)));
  if (field === undefined) return undefined;
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

/** Whether a plan publishes the sample as the stream of an audience. */
export const publishesSample = ({ publish }: Plan, { stream, from }: Pick<Audience, 'stream' | 'from'>): boolean =>
  publish.some(
    (publication) => publication.stream === stream && publication.node === from && publication.source === sampleSource,
  );

/** Why an audience can't pull several streams; undefined if it can. */
export const streamsFault = ({ streams, rooms }: Pick<Audience, 'streams' | 'rooms'>): string | undefined =>
  streams !== undefined && rooms ? 'Rooms have numbers already. Remove "streams".' : undefined;

/** What is wrong with an audience of rooms, and the faulty field as named in a plan; undefined if nothing is. */
export function roomsFault({
  rooms,
  viewers,
  stages,
  search,
}: Pick<Audience, 'rooms' | 'viewers' | 'stages' | 'search'>):
  { readonly field: string; readonly sentence: string } | undefined {
  if (!rooms) return undefined;
  const { size } = rooms;
  if (stages) return { field: 'stages', sentence: 'Rooms have no stages. Write viewers and rate, or a search.' };
  const isWhole = (participants: number): boolean => participants % size === 0;
  const uneven = search
    ? [search.fromViewers, search.maxViewers].find((size) => !isWhole(size))
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

/** Why an audience can't have sessions without media, one sentence; undefined if it can. */
export function withoutMediaFault({
  withoutMedia,
  network,
  turn,
  transport,
  tracks,
}: Pick<Audience, 'withoutMedia' | 'network' | 'turn' | 'transport' | 'tracks'>): string | undefined {
  if (!withoutMedia) return undefined;
  return network || turn || transport === 'tcp' || tracks === 'audio'
    ? 'Sessions without media use neither a simulated network nor a TURN server, and receive no tracks. Remove "network", "turn", "transport" and "tracks", or "withoutMedia".'
    : undefined;
}
