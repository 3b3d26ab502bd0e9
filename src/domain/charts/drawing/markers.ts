/**
 * Shapes that tell lines apart without colour, in the high-contrast theme: on the line, and as the swatch of its node.
 */
export interface Marker {
  readonly name: string;
  /** Corners in a square of 1 x 1. */
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** Corners of a regular shape, the first one at the top. */
const regular = (count: number, inner = 1): Marker['corners'] =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI;
    const radius = index % 2 === 0 ? 0.5 : 0.5 * inner;
    return [0.5 + radius * Math.sin(angle), 0.5 - radius * Math.cos(angle)] as const;
  });

/** By colour of the series, from 1. */
const markers: readonly Marker[] = [
  { name: 'square', corners: [[0.06, 0.06], [0.94, 0.06], [0.94, 0.94], [0.06, 0.94]] }, // prettier-ignore
  { name: 'circle', corners: regular(16) },
  { name: 'triangle', corners: [[0.5, 0], [1, 0.95], [0, 0.95]] }, // prettier-ignore
  { name: 'diamond', corners: regular(4) },
  { name: 'cross', corners: [[0.33, 0], [0.67, 0], [0.67, 0.33], [1, 0.33], [1, 0.67], [0.67, 0.67], [0.67, 1], [0.33, 1], [0.33, 0.67], [0, 0.67], [0, 0.33], [0.33, 0.33]] }, // prettier-ignore
  { name: 'triangle down', corners: [[0, 0.05], [1, 0.05], [0.5, 1]] }, // prettier-ignore
  { name: 'star', corners: regular(10, 0.42) },
  { name: 'bar', corners: [[0, 0.3], [1, 0.3], [1, 0.7], [0, 0.7]] }, // prettier-ignore
];

/** The marker of a series by its colour, from 1; another one for each colour. */
export function markerOf(colour: number): Marker {
  const marker = markers[(Math.max(1, colour) - 1) % markers.length];
  if (!marker) throw new Error(`There is no marker for the series colour ${colour}.`);
  return marker;
}

/** As the `clip-path` of an element. */
export const markerClip = ({ corners }: Marker): string =>
  `polygon(${corners.map(([x, y]) => `${Number((x * 100).toFixed(1))}% ${Number((y * 100).toFixed(1))}%`).join(', ')})`;

/** Distance of two markers on a line, px. */
const everyPx = 72;

/**
 * x positions of the markers of a line, in px. Each marker has its own offset, so that lines on top of each other show
 * theirs side by side.
 */
export function markerXs(colour: number, left: number, right: number): readonly number[] {
  const first = left + (((Math.max(1, colour) - 1) * everyPx) / markers.length + everyPx / 4);
  const count = Math.max(0, Math.floor((right - first) / everyPx) + 1);
  return Array.from({ length: count }, (_, index) => first + index * everyPx);
}
