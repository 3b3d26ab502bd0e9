import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import { FaultWatch, type FaultChange, type OpenFault } from './faultWatch';
import { PictureReader, type PictureFigures } from './pictureReader';
import { VmafMeasurement } from './vmafMeasurement.svelte';

/** The frame displayed at the end of a second, with the faults that begin or end with it. */
export interface PictureSecond extends PictureFigures {
  readonly faults: readonly FaultChange[];
}

/** The quality of the displayed picture: figures once a second, its faults, and VMAF on request. */
export class PictureWatch {
  /** What has been wrong with the picture for a second or longer. */
  fault = $state.raw<OpenFault | undefined>(undefined);
  readonly vmaf: VmafMeasurement;
  readonly #reader = new PictureReader();
  readonly #faults = new FaultWatch();
  #video: HTMLVideoElement | undefined;

  constructor(engine: Pick<EngineClient<EngineCallName>, 'call'>) {
    this.vmaf = new VmafMeasurement(engine);
  }

  /** Call it for each presented frame. */
  onFrame(video: HTMLVideoElement): void {
    this.#video = video;
    this.vmaf.onFrame(video);
  }

  /** Call it once a second; undefined without a frame. */
  async read(): Promise<PictureSecond | undefined> {
    const figures = this.#video && (await this.#reader.read(this.#video));
    const nowMs = performance.now();
    const faults = figures ? this.#faults.take(figures.fault, nowMs) : [];
    this.fault = this.#faults.open(nowMs);
    return figures && { ...figures, faults };
  }

  measureVmaf(): void {
    if (this.#video) void this.vmaf.start(this.#video);
  }

  /** Playback was interrupted: what follows is another picture. */
  forget(): void {
    this.#video = undefined;
    this.#reader.close();
    this.#faults.forget();
    this.fault = undefined;
    this.vmaf.interrupt();
  }
}
