import fontUri from '../../../../assets/fonts/Inter.woff2?inline';
import draw from './draw.mjs?raw';
import lines from './lines.mjs?raw';
import page from './page.mjs?raw';
import style from './page.css?raw';
import scales from './scales.mjs?raw';

/** What the bundler puts into the program for the page: not TypeScript, because that knows no such imports. */

/** The page's scripts as text, in an order in which each finds the others. */
export const scripts = [lines, scales, draw, page];
export { fontUri, style };
