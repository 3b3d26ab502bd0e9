import { brightnessOf, FrameCopier } from '../picture/framePlanes';
import { answerFrames } from '../picture/frameWorker';
import { decodeClock, type ClockReading } from '../../../domain/clock/clockRow';
import { cellBrightness, clockRect } from './clockPicture';

export interface FrameRead {
  readonly id: number;
  /** Undefined for a picture without a clock row. */
  readonly reading?: ClockReading | undefined;
}

const copier = new FrameCopier();

answerFrames('The clock of a frame could not be read', async ({ picture }) => {
  const row = await copier.copy(picture, clockRect);
  return { reading: row && decodeClock(cellBrightness(brightnessOf(row))) };
});
