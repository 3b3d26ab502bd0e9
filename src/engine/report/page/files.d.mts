/** The page's scripts as text, in an order in which each finds the others. */
export const scripts: readonly string[];
/** The interface's typeface as a data URI. */
export const fontUri: string;
/** The page's look, without the typeface itself. */
export const style: string;
