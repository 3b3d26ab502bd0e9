import { decodeClock, type ClockReading } from '../../../domain/clock/clockRow';
import { cellBrightness, clockRect } from './clockPicture';

export interface FrameToRead {
  readonly id: number;
  readonly picture: VideoFrame;
}

export interface FrameRead {
  readonly id: number;
  /** Undefined for a picture without a clock row. */
  readonly reading: ClockReading | undefined;
}

/** Bytes per pixel and place of a brightness in it: the green of RGB, else the first plane is luma. */
const packed: Readonly<Record<string, number>> = { RGBA: 4, RGBX: 4, BGRA: 4, BGRX: 4 };

let buffer = new Uint8Array(0);

async function readClock(picture: VideoFrame): Promise<ClockReading | undefined> {
  const { format, codedWidth, codedHeight, visibleRect } = picture;
  // A format that can't be copied.
  if (!format) return undefined;
  const { x = 0, y = 0, width = codedWidth, height = codedHeight } = visibleRect ?? {};
  const wanted = clockRect(width, height);
  const rect = { ...wanted, x: x + (wanted.x ?? 0), y: y + (wanted.y ?? 0) };
  const size = picture.allocationSize({ rect });
  if (buffer.length < size) buffer = new Uint8Array(size);
  const [layout] = await picture.copyTo(buffer, { rect });
  if (!layout) return undefined;
  const step = packed[format] ?? 1;
  const offset = layout.offset + (step > 1 ? 1 : 0);
  return decodeClock(
    cellBrightness({ bytes: buffer, offset, stride: layout.stride, step, width: wanted.width, height: wanted.height }),
  );
}

/** One after the other: they share the buffer. */
let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data: { id, picture } }: MessageEvent<FrameToRead>) => {
  last = last
    .then(() => readClock(picture))
    .then(
      (reading) => self.postMessage({ id, reading } satisfies FrameRead),
      (error: unknown) => {
        console.error(`The clock of a frame could not be read: ${String(error)}`);
        self.postMessage({ id, reading: undefined } satisfies FrameRead);
      },
    )
    .finally(() => picture.close());
});
