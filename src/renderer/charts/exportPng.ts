import type { ChartSpec } from '../../domain/charts/charts';
import { formatFigure } from '../../domain/text/numberFormat';
import { ChartView } from './chartView';
import { ownerColour } from '../ui/palette';
import type { ReadoutMode } from '../../domain/charts/drawing/readouts';
import type { Scene } from './scene';

/** Size of an exported chart in CSS pixels, and how many device pixels each of them gets. */
const width = 960;
const height = 420;
const headHeight = 40;
const ratio = 2;

/** A chart as a PNG: title, unit, figures with names, and the plot, in the theme's colours. */
export async function chartPng(spec: ChartSpec, scene: Scene, mode: ReadoutMode): Promise<Uint8Array> {
  const base = document.createElement('canvas');
  const size = { width, height: height - headHeight, ratio };
  const view = new ChartView(base, document.createElement('canvas'), spec, true, scene, size);
  try {
    view.draw(scene);
    const page = document.createElement('canvas');
    page.width = width * ratio;
    page.height = height * ratio;
    const ctx = page.getContext('2d');
    if (!ctx) throw new Error('This window cannot draw charts: it has no 2D canvas.');
    ctx.fillStyle = scene.palette.surface;
    ctx.fillRect(0, 0, page.width, page.height);
    ctx.drawImage(base, 0, headHeight * ratio);
    ctx.scale(ratio, ratio);
    drawHead(ctx, spec, scene, view, mode);
    return await pngOf(page);
  } finally {
    view.destroy();
  }
}

function drawHead(
  ctx: CanvasRenderingContext2D,
  spec: ChartSpec,
  { palette }: Scene,
  view: ChartView,
  mode: ReadoutMode,
): void {
  ctx.textBaseline = 'middle';
  ctx.font = '600 14px Inter, system-ui, sans-serif';
  ctx.fillStyle = palette.text;
  ctx.fillText(spec.title, 12, 20);
  const titleEnd = 12 + ctx.measureText(spec.title).width;
  ctx.font = '12px Inter, system-ui, sans-serif';
  ctx.fillStyle = palette.textFaint;
  ctx.fillText(spec.subtitle, titleEnd + 8, 20);
  let right = width - 24;
  for (const { trace, value, panel } of [...view.readouts(mode)].reverse()) {
    const style = spec.panels[panel]?.tooltipStyle ?? 'integer';
    const text = `${trace.label} ${formatFigure(value, style)}`;
    const left = right - ctx.measureText(text).width;
    if (left < titleEnd + 160) break;
    ctx.fillStyle = palette.text;
    ctx.fillText(text, left, 20);
    ctx.fillStyle = ownerColour(trace.owner, palette);
    ctx.fillRect(left - 13, 16, 8, 8);
    right = left - 26;
  }
}

async function pngOf(canvas: HTMLCanvasElement): Promise<Uint8Array> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The chart was not saved as PNG: the window is out of memory.');
  return new Uint8Array(await blob.arrayBuffer());
}
