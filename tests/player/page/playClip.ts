import type { ClockReading } from '../../../src/domain/clock/clockRow';
import { readClock } from '../../../src/renderer/player/clock/clockPicture';

export interface PlayedClip {
  readonly durationS: number;
  /** The clock in the picture at each of the given times. */
  readonly clocks: readonly (ClockReading | undefined)[];
}

/** Opens a saved clip in a video element, as the window does, and seeks to these times. */
export async function playClip(base64: string, timesS: readonly number[]): Promise<PlayedClip> {
  const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type: 'video/webm' }));
  const video = document.createElement('video');
  const next = (event: string): Promise<void> =>
    new Promise((resolve, reject) => {
      video.addEventListener(event, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
  try {
    const loaded = next('loadeddata');
    Object.assign(video, { muted: true, preload: 'auto', src: url });
    await loaded;
    const { duration, videoWidth: width, videoHeight: height } = video;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('No canvas to read the clip.');
    const clocks: (ClockReading | undefined)[] = [];
    for (const timeS of timesS) {
      const sought = next('seeked');
      video.currentTime = timeS;
      await sought;
      context.drawImage(video, 0, 0);
      const bytes = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
      clocks.push(readClock({ bytes, offset: 0, stride: 4 * width, step: 4, width, height }));
    }
    return { durationS: duration, clocks };
  } finally {
    URL.revokeObjectURL(url);
  }
}
