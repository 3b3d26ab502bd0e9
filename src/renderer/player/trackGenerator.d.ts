/** Chromium's generator of video tracks; TypeScript's own library has only the worker's variant of the standard. */
declare class MediaStreamTrackGenerator extends MediaStreamTrack {
  constructor(init: { kind: 'video' });
  readonly writable: WritableStream<VideoFrame>;
}
