import type { BurstReading } from '../../../domain/clock/toneBurst';
import { BurstDetector } from './burstDetector';
import { PlayoutClock, type PlayoutTime } from './playoutClock';

/** A burst in the sound; its time is Unix time, as the clock of the pattern. */
export interface BurstPlayed extends PlayoutTime {
  readonly reading: BurstReading;
}

/** Blocks are read in batches of this length: waking up for each of them costs as much as reading it. */
const batchMs = 100;
/** Less than a batch, so that its last block is read when it arrives, and its arrival is known. */
const pauseMs = 85;

let rateHz = 0;
let detector: BurstDetector | undefined;
let clock: PlayoutClock | undefined;
/** Samples since the detector began. */
let count = 0;
let buffer = new Float32Array(0);

/** Begins anew with each sample rate. Returns how late the block was read, ms. */
function take(data: AudioData): number {
  if (!detector || !clock || data.sampleRate !== rateHz) {
    rateHz = data.sampleRate;
    detector = new BurstDetector(rateHz);
    clock = new PlayoutClock(rateHz);
    count = 0;
  }
  const { numberOfFrames, timestamp } = data;
  const lateMs = clock.note(count, timestamp / 1000, performance.timeOrigin + performance.now());
  count += numberOfFrames;
  if (buffer.length < numberOfFrames) buffer = new Float32Array(numberOfFrames);
  // The bursts are the same in all channels.
  data.copyTo(buffer, { planeIndex: 0, format: 'f32-planar' });
  for (const { reading, start } of detector.push(buffer.subarray(0, numberOfFrames)))
    self.postMessage({ reading, ...clock.timeOf(start) } satisfies BurstPlayed);
  return lateMs;
}

async function read(audio: ReadableStream<AudioData>): Promise<void> {
  const reader = audio.getReader();
  let readMs = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return self.close();
    readMs += value.duration / 1000;
    const lateMs = take(value);
    value.close();
    if (readMs < batchMs) continue;
    readMs = 0;
    if (lateMs < pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs - lateMs));
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ReadableStream<AudioData>>) => {
  read(data).catch((error: unknown) => console.error(`The sound could not be read: ${String(error)}`));
});
