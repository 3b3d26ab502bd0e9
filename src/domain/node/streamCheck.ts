import { pictureFaults, type PictureFault } from '../model/pictureFault';

/** What a player finds wrong with a stream that it has played for some seconds. */
export const streamFindings = [...pictureFaults, 'no picture', 'frozen', 'silent', 'fine'] as const;
export type StreamFinding = (typeof streamFindings)[number];
export type StreamFault = Exclude<StreamFinding, 'fine'>;

/** One second of a player. */
export interface PlayedSecond {
  readonly isPlaying: boolean;
  readonly fault?: PictureFault | undefined;
  /** Displayed frames; absent if unknown, e.g. while the window is hidden. */
  readonly frameRate?: number | undefined;
  /** Peak of the sound, 0 to 1; absent without sound, or where it is not measured. */
  readonly loudest?: number | undefined;
}

/** A shorter look says nothing. */
const minSeconds = 3;
const share = 0.5;

/** Undefined if the stream was not played long enough to tell. */
export function findingOf(seconds: readonly PlayedSecond[]): StreamFinding | undefined {
  if (seconds.length < minSeconds) return undefined;
  const played = seconds.filter(({ isPlaying }) => isPlaying);
  if (played.length < minSeconds) return played.length === 0 ? 'no picture' : undefined;
  const faults = played.flatMap(({ fault }) => fault ?? []);
  if (faults.length >= played.length * share) return faults.at(-1);
  const known = played.flatMap(({ frameRate }) => frameRate ?? []);
  // The first second may be the one in which it started.
  const still = known.slice(1).filter((frameRate) => frameRate === 0);
  if (known.length >= minSeconds && still.length >= (known.length - 1) * share) return 'frozen';
  const sound = played.flatMap(({ loudest }) => loudest ?? []);
  return sound.length >= minSeconds && sound.every((loudest) => loudest === 0) ? 'silent' : 'fine';
}
