import type { PictureFault } from '../../../domain/model/pictureFault';
import type { ClockReading } from '../../../domain/clock/clockRow';
import { readClock } from '../clock/clockPicture';
import { blockiness } from './blockiness';
import { blur } from './blur';
import { brightnessOf, chromaOf, FrameCopier, lumaOf } from './framePlanes';
import { answerFrames, type FrameOrder } from './frameWorker';
import { pictureFault } from './pictureFault';
import { bandsOf, type Plane } from './plane';
import { scaled } from './scaled';
import { similarity, type Similarity } from './similarity';

/** A displayed frame to judge, or the reference to compare the last one with. */
export interface PictureOrder extends FrameOrder {
  readonly kind: 'judge' | 'compare';
}

/** What a frame shows without a reference. */
export interface PictureJudgement {
  readonly blockiness: number | undefined;
  readonly blur: number | undefined;
  readonly fault: PictureFault | undefined;
  /** Its clock row, if it has one. */
  readonly reading: ClockReading | undefined;
}

/** Only the id for a format that can't be read, and after a failure. */
export interface PictureAnswer {
  readonly id: number;
  readonly judgement?: PictureJudgement;
  readonly similarity?: Similarity;
}

/** Luma of RGB; grows with the picture. */
class LumaBuffer {
  #bytes = new Uint8Array(0);

  of(frame: { readonly width: number; readonly height: number }): Uint8Array {
    const size = frame.width * frame.height;
    if (this.#bytes.length < size) this.#bytes = new Uint8Array(size);
    return this.#bytes;
  }
}

const played = { copier: new FrameCopier(), rgb: new LumaBuffer() };
const reference = { copier: new FrameCopier(), rgb: new LumaBuffer() };
/** Luma of the frame that was judged last. */
let judgedLuma: Plane | undefined;

async function judge(picture: VideoFrame): Promise<Omit<PictureAnswer, 'id'>> {
  judgedLuma = undefined;
  const frame = await played.copier.copy(picture);
  if (!frame) return {};
  const luma = lumaOf(frame, () => played.rgb.of(frame));
  judgedLuma = luma;
  const bands = bandsOf(luma);
  return {
    judgement: {
      blockiness: blockiness(bands),
      blur: blur(bands),
      fault: pictureFault({ luma, chroma: chromaOf(frame), isFullRange: picture.colorSpace.fullRange === true }),
      reading: readClock(brightnessOf(frame)),
    },
  };
}

async function compare(picture: VideoFrame): Promise<Omit<PictureAnswer, 'id'>> {
  const frame = judgedLuma && (await reference.copier.copy(picture));
  if (!frame || !judgedLuma) return {};
  const luma = lumaOf(frame, () => reference.rgb.of(frame));
  return { similarity: similarity(judgedLuma, scaled(luma, judgedLuma.width, judgedLuma.height)) };
}

answerFrames<PictureOrder>('A frame could not be analysed', ({ kind, picture }) =>
  kind === 'judge' ? judge(picture) : compare(picture),
);
