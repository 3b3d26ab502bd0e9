import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { VmafResult } from '../../../contract/vmafCalls';
import { i420Bytes, vmafLimits } from '../../../domain/model/vmaf';
import { errorText } from '../../../domain/text/errorText';
import { readClock } from '../clock/clockPicture';
import { drawnFrame } from '../publish/localPatterns';
import type { PatternFrame } from '../publish/patternPicture';
import { frameOf } from './frameOf';
import { brightnessOf, FrameCopier, i420Of } from './framePlanes';
import { PatternReference } from './patternReference';
import { packedPlane } from './plane';
import { scaled } from './scaled';

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

type Bytes = Uint8Array<ArrayBuffer>;

/** A displayed frame as I420, and what was drawn for it. */
interface KeptFrame {
  readonly played: Bytes;
  readonly drawn: PatternFrame;
}

/** Displayed frames of a test pattern of this window, kept to be compared with the frames as drawn. */
class VmafRecording {
  /** In the order of display. */
  readonly frames: KeptFrame[] = [];
  /** Frames whose clock row could not be read, so that there is nothing to compare them with. */
  unread = 0;
  #fault: Error | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #copier = new FrameCopier();
  readonly #referenceCopier = new FrameCopier();
  readonly #reference = new PatternReference();

  /** Size of the pictures. */
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  /** Keeps a frame, and closes it. */
  take(picture: VideoFrame): void {
    // One after the other: they share the copier.
    this.#last = this.#last
      .then(() => this.#keep(picture))
      .catch((error: unknown) => {
        this.#fault ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => picture.close());
  }

  /** Resolves when all frames are kept; rejects if they can't be compared. */
  async complete(): Promise<void> {
    await this.#last;
    if (this.#fault) throw this.#fault;
  }

  /** The frame as drawn, as I420 of the size of the pictures. */
  async referenceOf({ drawn }: KeptFrame): Promise<Bytes> {
    const picture = this.#reference.draw(drawn);
    try {
      const frame = await this.#referenceCopier.copy(picture);
      const bytes = frame && i420Of(frame);
      if (!bytes) throw new Error(`The test pattern could not be read back (${picture.format ?? 'no format'}).`);
      return scaledI420(bytes, frame, this);
    } finally {
      picture.close();
    }
  }

  async #keep(picture: VideoFrame): Promise<void> {
    if (this.frames.length >= vmafLimits.frames) return;
    const frame = await this.#copier.copy(picture);
    const played = frame && i420Of(frame);
    if (!played) throw new Error(`Frames of the format ${picture.format ?? 'of this decoder'} can't be read for VMAF.`);
    if (frame.width !== this.width || frame.height !== this.height)
      throw new Error(
        `The size of the picture changed from ${this.width} × ${this.height} to ${frame.width} × ${frame.height} meanwhile: measure again.`,
      );
    const reading = readClock(brightnessOf(frame));
    const drawn = reading && drawnFrame(reading);
    if (drawn) this.frames.push({ played, drawn });
    else this.unread += 1;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An I420 picture at another size. */
function scaledI420(bytes: Bytes, from: Size, to: Size): Bytes {
  if (from.width === to.width && from.height === to.height) return bytes;
  const half = ({ width, height }: Size): Size => ({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  const into = new Uint8Array(i420Bytes(to.width, to.height));
  let read = 0;
  let written = 0;
  for (const [source, target] of [
    [from, to],
    [half(from), half(to)],
    [half(from), half(to)],
  ] as const) {
    const size = source.width * source.height;
    const plane = packedPlane(bytes.subarray(read, read + size), source.width, source.height);
    into.set(scaled(plane, target.width, target.height).bytes, written);
    read += size;
    written += target.width * target.height;
  }
  return into;
}
