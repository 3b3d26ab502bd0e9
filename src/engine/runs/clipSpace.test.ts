import { expect, it } from 'vitest';
import type { Still } from '../../domain/model/run';
import { requireClipSpace } from './clipSpace';

const saved = (mime: Still['mime'], bytes: number): Still => ({ id: 1, timeMs: 1, cause: 'saved', mime, bytes });

it('clips of a run take at most 50 MB, whatever the stills take', () => {
  const stills = [saved('image/png', 40_000_000), saved('video/webm', 20_000_000), saved('video/webm', 28_000_000)];
  expect(() => requireClipSpace(stills, 2_000_000)).not.toThrow();
  expect(() => requireClipSpace(stills, 2_000_001)).toThrow(
    'The clip is not saved: clips of this run already take 48 of 50 MB.',
  );
});
