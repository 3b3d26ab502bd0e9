import { areaAlpha, dashes, lineWidths, slotDashes } from '../../domain/charts/drawing/strokes';

const dashed = (dash: readonly number[]): string => `stroke-linecap:butt;stroke-dasharray:${dash.join(' ')}`;

/** The lines of a report's charts: the window's own widths and dashes, for the classes that `page/draw.ts` writes. */
export const strokeStyle = [
  `.line{stroke-width:${lineWidths.plain}}`,
  `.line.main{stroke-width:${lineWidths.first}}`,
  `.line.noisy{stroke-width:${lineWidths.noisy}}`,
  `.line.asked{stroke-width:${lineWidths.asked};${dashed(dashes.asked)}}`,
  ...slotDashes.flatMap((dash, place) => (dash.length > 0 ? [`.d${place}{${dashed(dash)}}`] : [])),
  `.ground{opacity:${areaAlpha.stack}}`,
  `.ground.area{opacity:${areaAlpha.area}}`,
  `.ring{stroke-width:${lineWidths.ring}}`,
  `path.limit{stroke-dasharray:${dashes.limit.join(' ')}}`,
  `path.fact{stroke-dasharray:${dashes.fact.join(' ')}}`,
  `.fall{stroke-dasharray:${dashes.mark.join(' ')}}`,
]
  .map((rule) => `.chart ${rule}`)
  .join('\n');
