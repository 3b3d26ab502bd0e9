/** What the window itself can publish: `file` is a video file in a loop. */
export const localSources = ['pattern', 'camera', 'screen', 'window', 'file'] as const;
export type LocalSource = (typeof localSources)[number];

export const isLocalSource = (source: string): source is LocalSource =>
  (localSources as readonly string[]).includes(source);

/** What the system captures: an entire screen or one window. */
export const captureKinds = ['screen', 'window'] as const satisfies readonly LocalSource[];
export type CaptureKind = (typeof captureKinds)[number];

export const isCapture = (source: string): source is CaptureKind =>
  (captureKinds as readonly string[]).includes(source);
