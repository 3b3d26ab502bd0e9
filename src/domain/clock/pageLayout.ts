import { qrModules } from './qrCode';

/** Where a clock page has its codes; the clock row below them is that of test patterns. */

/** Modules along a side of a code, and of the white margin around it. */
export const codeModules = qrModules;
export const codeMargin = 3;
/** From a module of the left code to the same one of the right code. */
export const codeDistance = codeModules + codeMargin;
/** The white area with both codes, in modules. */
export const panelModules = { width: 2 * codeDistance + codeMargin, height: codeModules + 2 * codeMargin } as const;
/** Side of a module and top of the white area, relative to the page's height. */
export const moduleSide = 0.02;
export const panelTop = 0.05;
