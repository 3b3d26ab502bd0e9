import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { VmafResult } from '../../../contract/vmafCalls';
import { vmafLimits } from '../../../domain/model/vmaf';
import { errorText } from '../../../domain/text/errorText';
import { frameOf } from './frameOf';
import { VmafRecording } from './vmafRecording';

export type VmafState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'recording' }
  /** Frames are handed over; then all of them are compared. */
  | { readonly kind: 'comparing'; readonly sent: number; readonly frames: number }
  | { readonly kind: 'done'; readonly result: VmafResult; readonly unread: number }
  | { readonly kind: 'failed'; readonly sentence: string };

export const vmafRecordMs = 5000;
/** Fewer say little. */
const minFrames = 10;

/** VMAF of the displayed test pattern, by a program of this machine: records frames, then has them compared. */
export class VmafMeasurement {
  state = $state.raw<VmafState>({ kind: 'idle' });
  readonly #engine: Pick<EngineClient<EngineCallName>, 'call'>;
  #id: string | undefined;
  #recording: VmafRecording | undefined;
  /** The end of the previous one: the engine has one at a time. */
  #cancelled: Promise<unknown> = Promise.resolve();

  constructor(engine: Pick<EngineClient<EngineCallName>, 'call'>) {
    this.#engine = engine;
  }

  /** Call it for each presented frame. */
  onFrame(video: HTMLVideoElement): void {
    const frame = this.#recording && frameOf(video);
    if (frame) this.#recording?.take(frame);
  }

  /** Measures the picture of the video. The outcome is in `state`. */
  async start({ videoWidth: width, videoHeight: height }: HTMLVideoElement): Promise<void> {
    if (this.#id !== undefined) return;
    const measurement = crypto.randomUUID();
    this.#id = measurement;
    this.state = { kind: 'recording' };
    try {
      requireSize(width, height);
      await this.#cancelled;
      if (this.#id !== measurement) return;
      await this.#engine.call('vmaf.open', { measurement, width, height });
      const recording = await this.#record(new VmafRecording(width, height));
      const { frames, unread } = recording;
      for (const [sent, frame] of frames.entries()) {
        if (this.#id !== measurement) return;
        this.state = { kind: 'comparing', sent, frames: frames.length };
        const reference = await recording.referenceOf(frame);
        await this.#engine.call('vmaf.frame', { measurement, played: frame.played, reference });
      }
      if (this.#id !== measurement) return;
      this.state = { kind: 'comparing', sent: frames.length, frames: frames.length };
      const result = await this.#engine.call('vmaf.measure', { measurement });
      if (this.#id === measurement) this.#end({ kind: 'done', result, unread });
    } catch (error) {
      if (this.#id === measurement) await this.cancel({ kind: 'failed', sentence: errorText(error) });
    }
  }

  /** Ends the measurement in progress, if any. */
  async cancel(state: VmafState = { kind: 'idle' }): Promise<void> {
    const measurement = this.#id;
    if (measurement === undefined) return;
    this.#end(state);
    this.#cancelled = this.#engine
      .call('vmaf.cancel', { measurement })
      .catch((error: unknown) => (this.state = { kind: 'failed', sentence: errorText(error) }));
    await this.#cancelled;
  }

  /** Playback was interrupted. */
  interrupt(): void {
    if (this.#recording)
      void this.cancel({
        kind: 'failed',
        sentence: 'Playback was interrupted while frames were recorded: measure again.',
      });
  }

  #end(state: VmafState): void {
    this.#id = undefined;
    this.#recording = undefined;
    this.state = state;
  }

  async #record(recording: VmafRecording): Promise<VmafRecording> {
    this.#recording = recording;
    await new Promise((resolve) => setTimeout(resolve, vmafRecordMs));
    // Another one may have been started after this one was cancelled.
    if (this.#recording === recording) this.#recording = undefined;
    await recording.complete();
    if (recording.frames.length < minFrames)
      throw new Error(
        `Only ${recording.frames.length} frames with a readable clock row were displayed in ${vmafRecordMs / 1000} s: the picture is frozen or too damaged for VMAF.`,
      );
    return recording;
  }
}

function requireSize(width: number, height: number): void {
  const { minSide, width: maxWidth, height: maxHeight } = vmafLimits;
  if (width < minSide || height < minSide || width > maxWidth || height > maxHeight)
    throw new Error(
      `VMAF is measured of pictures from ${minSide} × ${minSide} to ${maxWidth} × ${maxHeight}; this one has ${width} × ${height}.`,
    );
}
