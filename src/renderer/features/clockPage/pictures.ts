import { photoLimits } from '../../../domain/clock/photoLimits';
import { lumaOf } from '../../player/picture/framePlanes';

/** Brightness of each pixel, as the engine reads it. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

/** Of a recording, evenly over its length: enough for a median, read within seconds. */
export const picturesOfRecording = 20;
const seekWithinMs = 10_000;

/** Whether the window can read a file of this kind. */
export const isReadable = ({ type }: Pick<File, 'type'>): boolean => /^(image\/(png|jpeg|webp)|video\/)/.test(type);

export const isRecording = ({ type }: Pick<File, 'type'>): boolean => type.startsWith('video/');

/** The pictures of a photo or recording, one after the other. Rejects with a sentence. */
export async function* picturesOf(file: File): AsyncGenerator<Luma> {
  if (isRecording(file)) yield* framesOf(file);
  else yield await photoOf(file);
}

async function photoOf(file: File): Promise<Luma> {
  if (file.size > photoLimits.fileBytes)
    throw new Error(`It has ${Math.ceil(file.size / 1e6)} MB; a photo may have ${photoLimits.fileBytes / 1e6} MB.`);
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('It is damaged, or no picture.');
  });
  try {
    return lumaOfPicture(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

/** When the pictures of a recording are taken, in seconds from its start. Throws a sentence if its length is not known. */
export function timesIn(durationSeconds: number): readonly number[] {
  if (!Number.isFinite(durationSeconds))
    throw new Error('Its length is not known, so no pictures can be taken from it. Convert it to MP4 or WebM.');
  return Array.from(
    { length: picturesOfRecording },
    (_, index) => ((index + 0.5) / picturesOfRecording) * durationSeconds,
  );
}

async function* framesOf(file: File): AsyncGenerator<Luma> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  try {
    Object.assign(video, { muted: true, preload: 'auto', src: address });
    await reached(video, 'loadeddata');
    // The length of a recording of a browser is known once its end was sought.
    if (!Number.isFinite(video.duration)) await seek(video, Number.MAX_SAFE_INTEGER);
    for (const seconds of timesIn(video.duration)) {
      await seek(video, seconds);
      yield lumaOfPicture(video, video.videoWidth, video.videoHeight);
    }
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  }
}

async function seek(video: HTMLVideoElement, seconds: number): Promise<void> {
  const done = reached(video, 'seeked');
  video.currentTime = seconds;
  await done;
}

function reached(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('It is damaged, or a video that Chromium does not play.'));
    const timer = setTimeout(fail, seekWithinMs);
    video.addEventListener('error', fail, { once: true });
    video.addEventListener(
      event,
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** At most as large as the engine takes it. */
function lumaOfPicture(source: CanvasImageSource, fullWidth: number, fullHeight: number): Luma {
  const scale = Math.min(1, photoLimits.side / Math.max(fullWidth, fullHeight));
  const [width, height] = [Math.max(1, Math.round(fullWidth * scale)), Math.max(1, Math.round(fullHeight * scale))];
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The window has no memory for a picture of this size.');
  context.drawImage(source, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const frame = { format: 'RGBA', bytes: new Uint8Array(data.buffer), layout: [{ offset: 0, stride: 4 * width }] };
  const { bytes } = lumaOf({ ...frame, width, height }, () => new Uint8Array(width * height));
  return { width, height, luma: bytes };
}
