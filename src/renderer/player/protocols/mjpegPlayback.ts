import type { PlayerReading } from '../figures/playerStats';
import { frameSink, type FrameSink } from '../publish/frameSink';
import { connectThrough, type EngineConnection } from './engineConnection';
import { JpegFrames } from './jpegFrames';
import { MediaWatch } from './mediaWatch';
import { errorText } from '../../../domain/text/errorText';
import type { Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';

/** For the fallback of the frame sink only; a camera sends its own rate. */
const sinkFps = 30;

/** One viewer of an MJPEG stream over HTTP: each picture becomes a frame of a video track. */
export class MjpegPlayback implements Playback {
  readonly #watch: MediaWatch;
  readonly #frames = new JpegFrames();
  readonly #canvas = document.createElement('canvas');
  readonly #sink: FrameSink = frameSink(this.#canvas, sinkFps);
  readonly #connection: EngineConnection;
  #bytes = 0;
  #decoded = 0;
  #dropped = 0;
  #isDecoding = false;
  #ended = false;

  constructor(engine: PlayEngine, { node, stream }: PlayTarget, url: string, listener: PlaybackListener) {
    this.#watch = new MediaWatch({ stream, firstMs: 10_000, silenceMs: 5000 }, listener);
    this.#watch.start();
    this.#connection = connectThrough(
      engine,
      { node, stream, kind: 'http', url },
      {
        data: (data) => this.#take(data),
        closed: (_code, sentence) => listener.failed(sentence ?? `${stream} has ended.`),
      },
    );
    this.#connection.opened.then(
      (status) => {
        if (status >= 300) listener.failed(`${node} responded HTTP ${status} for ${stream}.`);
      },
      (error: unknown) => listener.failed(errorText(error)),
    );
    listener.media(new MediaStream([this.#sink.track]));
  }

  read(): Promise<PlayerReading | undefined> {
    this.#watch.note(this.#decoded, performance.now());
    const { width, height } = this.#canvas;
    const hasPicture = this.#decoded > 0;
    if (!hasPicture) return Promise.resolve(undefined);
    return Promise.resolve({
      timeMs: performance.now(),
      bytes: this.#bytes,
      framesDecoded: this.#decoded,
      framesDropped: this.#dropped,
      videoCodec: 'JPEG',
      ...{ width, height },
    });
  }

  end(): Promise<void> {
    this.#ended = true;
    this.#watch.stop();
    this.#connection.close();
    this.#sink.close();
    return Promise.resolve();
  }

  #take(data: string | Uint8Array): void {
    if (typeof data === 'string') return;
    this.#bytes += data.length;
    const frames = this.#frames.take(data);
    const latest = frames.pop();
    this.#dropped += frames.length;
    if (!latest) return;
    if (this.#isDecoding) this.#dropped += 1;
    else void this.#show(latest);
  }

  async #show(jpeg: Uint8Array): Promise<void> {
    this.#isDecoding = true;
    try {
      const bitmap = await createImageBitmap(new Blob([jpeg.slice()], { type: 'image/jpeg' }));
      if (this.#ended) return bitmap.close();
      const { width, height } = bitmap;
      if (this.#canvas.width !== width || this.#canvas.height !== height)
        Object.assign(this.#canvas, { width, height });
      this.#canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.#decoded += 1;
      this.#sink.push(this.#canvas, performance.now());
      this.#watch.note(this.#decoded, performance.now());
    } catch {
      // A damaged picture: Chromium gives no reason.
      this.#dropped += 1;
    } finally {
      this.#isDecoding = false;
    }
  }
}
