import { npm, run } from './command.mjs';
import { isAtLeast } from './versions.mjs';

/** Electron fixes security problems in its latest three majors; a new one is released every eight weeks. */
const supportedMajors = 3;

/** 45 for `45.4.1`; NaN without a number. */
export const majorOf = (version) => Number.parseInt(version, 10);

/**
 * Why a version of Electron must not be released, with `newest` as the latest known one; undefined if it may be.
 */
export function endOfLife(version, newest) {
  const latest = majorOf(newest);
  const oldest = latest - supportedMajors + 1;
  if (majorOf(version) >= oldest) return undefined;
  return (
    `Electron ${version} gets no security fixes any more: ` +
    `Electron supports its latest three majors, now ${oldest} to ${latest}.`
  );
}

/** The latest Electron: the registry's, if it responds with a later one than the project depends on. */
export async function newestElectron(wanted) {
  const { code, stdout } = await run(npm, ['view', 'electron', 'version'], { timeoutMs: 20_000 });
  const published = /^\d+\.\d+\.\d+$/m.exec(stdout)?.[0];
  return code === 0 && published && isAtLeast(published, wanted) ? published : wanted;
}
