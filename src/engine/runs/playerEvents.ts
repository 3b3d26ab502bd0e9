import type { CallInput } from '../../contract/engine';
import { pictureFaultNames } from '../../domain/model/pictureFault';
import type { RunEvent } from '../../domain/model/run';
import type { SpotCheck } from '../../domain/model/spotCheck';
import { measuredText, ratingWords } from '../../domain/spotCheck/spotCheckText';
import type { VmafResult } from '../../contract/vmafCalls';
import { formatFigure, formatCount } from '../../domain/text/numberFormat';
import { seconds } from '../base/sentences';

/** What the control player reports in one call. */
export type PlayerReport = CallInput<'player.figures'>;

export type PlayerEvent = Pick<RunEvent, 'mark' | 'sentence' | 'node' | 'spotCheck'>;

/** The events of a report: a stall that has ended, faults of the picture that have begun or ended. */
export function playerEvents({ stallMs, faults = [] }: Pick<PlayerReport, 'stallMs' | 'faults'>): PlayerEvent[] {
  const stall: PlayerEvent[] =
    stallMs === undefined ? [] : [{ mark: 'freeze', sentence: `Picture stalled for ${seconds(stallMs)}` }];
  return [
    ...stall,
    // One frame a second is analysed.
    ...faults.map(({ kind, lengthMs, isOver }): PlayerEvent => {
      const name = pictureFaultNames[kind];
      return isOver
        ? { mark: 'none', sentence: `Picture was ${name} for about ${seconds(1000 * Math.round(lengthMs / 1000))}` }
        : { mark: 'freeze', sentence: `Picture is ${name}` };
    }),
  ];
}

/** The result of a VMAF measurement. */
export function vmafEvent({ vmaf, psnrDb, ssim, frames, width, height, program, model }: VmafResult): PlayerEvent {
  const tenths = (value: number): string => formatFigure(value, 'tenths');
  const scores = `VMAF ${tenths(vmaf.mean)} (min ${tenths(vmaf.min)}, harmonic mean ${tenths(vmaf.harmonicMean)})`;
  const others = `PSNR ${tenths(psnrDb)} dB, SSIM ${ssim.toFixed(3)}`;
  const source = `${formatCount(frames)} frames of ${width} × ${height}, ${program}, ${model}`;
  return { mark: 'none', sentence: `${scores}, ${others}: ${source}` };
}

/** A spot check of a stream of the node. */
export function spotCheckEvent(node: string, spotCheck: SpotCheck): PlayerEvent {
  const { stream, rating, measured } = spotCheck;
  const sentence = `Spot check of ${stream} on ${node}: rated ${ratingWords[rating]}; measured ${measuredText(spotCheck)}`;
  return { mark: rating === measured ? 'none' : 'note', sentence, spotCheck };
}
