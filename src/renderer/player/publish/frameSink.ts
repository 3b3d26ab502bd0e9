/**
 * Chromium's video track generator. TypeScript's library declares only the standard one, which is limited to workers.
 */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
declare const MediaStreamTrackGenerator: (new (init: { kind: 'video' }) => TrackGenerator) | undefined;

/** A video track fed frame by frame. */
export interface FrameSink {
  readonly track: MediaStreamTrack;
  /** Sends the canvas content; `timeMs` is the frame's time on any monotonic clock. */
  push(canvas: HTMLCanvasElement, timeMs: number): void;
  close(): void;
}

/**
 * Prefers the generator: `captureStream` waits for the page to be painted and pauses in a hidden window, so it is only
 * the fallback. Throws a sentence if neither exists.
 */
export function frameSink(canvas: HTMLCanvasElement, framesPerSecond: number): FrameSink {
  if (typeof MediaStreamTrackGenerator === 'function')
    return generatorSink(new MediaStreamTrackGenerator({ kind: 'video' }));
  const track = canvas.captureStream(framesPerSecond).getVideoTracks()[0];
  if (!track) throw new Error("Can't create a video track of the test pattern on this computer.");
  return { track, push: () => undefined, close: () => track.stop() };
}

function generatorSink(track: TrackGenerator): FrameSink {
  const writer = track.writable.getWriter();
  return {
    track,
    push: (canvas, timeMs) => {
      const frame = new VideoFrame(canvas, { timestamp: Math.round(timeMs * 1000), alpha: 'discard' });
      // The track may have been stopped between two frames; then only the frame is closed.
      writer.write(frame).catch(() => frame.close());
    },
    close: () => track.stop(),
  };
}
