import type { ScaleSpec } from '../../../domain/charts';
import type { FigureStyle } from '../../../domain/numberFormat';

export function roundTop(value: number): number;
export function scaleRange(
  wish: ScaleSpec,
  lowest: number,
  highest: number,
): { readonly low: number; readonly high: number };
export function timeTicks(fromMs: number, toMs: number, widthPx: number): number[];
export function axisTime(timeMs: number): string;
export function figureText(value: number | undefined, style: FigureStyle): string;
export function tickText(value: number, step: number): string;
