import type { PictureFault } from '../../../domain/model/pictureFault';
import { drawnFrame } from '../publish/localPatterns';
import { frameOf } from './frameOf';
import { endAfterFrames } from './frameWorker';
import { PatternReference } from './patternReference';
import type { PictureAnswer, PictureOrder } from './pictureWorker';

/** Quality of one displayed frame; undefined where not measured. */
export interface PictureFigures {
  /** Differences across block borders relative to those inside; 1 without blocks. */
  readonly blockiness?: number | undefined;
  /** 0 for a sharp picture, 1 for one without detail. */
  readonly blur?: number | undefined;
  readonly fault?: PictureFault | undefined;
  /** Compared with the frame as drawn; only of a test pattern of this window. */
  readonly ssim?: number | undefined;
  readonly psnrDb?: number | undefined;
}

/** A picture is analysed in some milliseconds; beyond this the second has no figures. */
const limitMs = 800;

/** Analyses displayed frames in a worker, one at a time. */
export class PictureReader {
  #worker: Worker | undefined;
  readonly #reference = new PatternReference();
  #lastId = 0;
  #answer: ((answer: PictureAnswer | undefined) => void) | undefined;
  #isReading = false;

  /** The frame that a video displays now; undefined without one, and while another is analysed. */
  async read(video: HTMLVideoElement): Promise<PictureFigures | undefined> {
    if (this.#isReading) return undefined;
    this.#isReading = true;
    try {
      const frame = frameOf(video);
      if (!frame) return undefined;
      const judged = await this.#ask('judge', frame);
      if (!judged?.judgement) return undefined;
      const { reading, ...ownFigures } = judged.judgement;
      const drawn = reading && drawnFrame(reading);
      if (!drawn) return ownFigures;
      const compared = await this.#ask('compare', this.#reference.draw(drawn));
      return { ...ownFigures, ...compared?.similarity };
    } catch (error) {
      console.error(`The displayed frame could not be analysed: ${String(error)}`);
      return undefined;
    } finally {
      this.#isReading = false;
    }
  }

  close(): void {
    endAfterFrames(this.#worker);
    this.#worker = undefined;
    this.#answer?.(undefined);
  }

  #ask(kind: PictureOrder['kind'], picture: VideoFrame): Promise<PictureAnswer | undefined> {
    const worker = (this.#worker ??= this.#start());
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const settle = (answer: PictureAnswer | undefined): void => {
        if (answer && answer.id !== id) return;
        clearTimeout(timer);
        this.#answer = undefined;
        resolve(answer);
      };
      const timer = setTimeout(() => settle(undefined), limitMs);
      this.#answer = settle;
      worker.postMessage({ kind, id, picture } satisfies PictureOrder, [picture]);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./pictureWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PictureAnswer>) => this.#answer?.(data));
    return worker;
  }
}
