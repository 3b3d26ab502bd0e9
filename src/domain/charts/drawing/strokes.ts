/** Widths of lines in px, by what they show. */
export const lineWidths = { plain: 1.5, first: 1.75, noisy: 1.25, asked: 1, ring: 1.25 } as const;

/** Dash patterns in px: of a node's line by its place among 16 (from the fifth on), and of the other lines. */
export const slotDashes: readonly (readonly number[])[] = [[], [5, 2], [1.5, 2]];
export const dashes = { asked: [3, 3], limit: [4, 3], fact: [1, 2], mark: [1, 3] } as const;

/** Opacity of the area below a line. */
export const areaAlpha = { stack: 0.18, area: 0.28, band: 0.2 } as const;
