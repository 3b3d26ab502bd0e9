import { isWebRtc } from '../model/playerProtocols';
import { samePublication, type DelayPath } from './paths';
import type { DelayRow } from './table';

/** Usual times of the steps around a measurement, in ms. */
const steps = { settle: 3000, publish: 1500, webRtcPicture: 1500, relayedPicture: 6000, connect: 6000 } as const;

/** The usual time of one repeat of a path, `before` being the one measured before it. */
function repeatMs(path: DelayPath, before: DelayPath | undefined, measureMs: number): number {
  if (path.publish === undefined || path.play === undefined) return steps.settle + measureMs;
  return (
    (samePublication(before, path) ? 0 : steps.publish) +
    (isWebRtc(path.play) ? steps.webRtcPicture : steps.relayedPicture) +
    (path.isUnderLoad ? steps.connect : 0) +
    steps.settle +
    measureMs
  );
}

const roundMs = (paths: readonly DelayPath[], measureMs: number): readonly number[] =>
  paths.map((path, index) => repeatMs(path, paths[index - 1], measureMs));

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** The usual duration of a whole test, in ms. */
export const expectedTestMs = (paths: readonly DelayPath[], repeats: number, measureMs: number): number =>
  repeats * sum(roundMs(paths, measureMs));

/** What is usually left of a running test, in ms. `now`: the row that is measured, and the share of it from 0 to 1. */
export function remainingTestMs(
  rows: readonly DelayRow[],
  repeats: number,
  measureMs: number,
  now?: { readonly row: number; readonly share: number },
): number {
  const each = roundMs(
    rows.map(({ path }) => path),
    measureMs,
  );
  const leftMs = sum(rows.map((row, index) => Math.max(0, repeats - row.repeats.length) * (each[index] ?? 0)));
  return Math.max(0, leftMs - (now ? now.share * measureMs : 0));
}
