/** Chromium's generator of video tracks. TypeScript's library knows only the standard's variant, which lives in workers. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
declare const MediaStreamTrackGenerator: (new (init: { kind: 'video' }) => TrackGenerator) | undefined;

/** A video track made of frames that are handed over one by one. */
export interface FrameSink {
  readonly track: MediaStreamTrack;
  /** Sends what the canvas shows; `timeMs` is the frame's time on any steady clock. */
  push(canvas: HTMLCanvasElement, timeMs: number): void;
  close(): void;
}

/**
 * Prefers the generator: `captureStream` waits for the page to be painted and rests in a hidden window, so it stands in
 * only where the generator is missing. Throws a sentence when there is neither.
 */
export function frameSink(canvas: HTMLCanvasElement, framesPerSecond: number): FrameSink {
  if (typeof MediaStreamTrackGenerator === 'function')
    return generatorSink(new MediaStreamTrackGenerator({ kind: 'video' }));
  const track = canvas.captureStream(framesPerSecond).getVideoTracks()[0];
  if (!track) throw new Error('This computer cannot make a video track of the test pattern.');
  return { track, push: () => undefined, close: () => track.stop() };
}

function generatorSink(track: TrackGenerator): FrameSink {
  const writer = track.writable.getWriter();
  return {
    track,
    push: (canvas, timeMs) => {
      const frame = new VideoFrame(canvas, { timestamp: Math.round(timeMs * 1000), alpha: 'discard' });
      // The track may have been stopped between two frames; closing the frame is all that is left to do then.
      writer.write(frame).catch(() => frame.close());
    },
    close: () => track.stop(),
  };
}
