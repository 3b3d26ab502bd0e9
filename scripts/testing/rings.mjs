import { SetupProblem } from '../setup/problem.mjs';
import { partsOfChange } from './partsOfChange.mjs';
import { testParts } from './parts.mjs';

const partsOfRing = (...rings) => Object.keys(testParts).filter((name) => rings.includes(testParts[name].ring));

/** The parts of the gate: `npm test`. */
export const gateParts = partsOfRing('gate');

/**
 * The parts that were asked for by the arguments of `npm test`, and lines about the choice: without arguments the gate,
 * `changed [BASE]` also what a change touches, `all` everything, else the named parts. Throws a `SetupProblem` for
 * anything else.
 * @param {string[]} asked
 * @param {{ changeSince: (base?: string) => Promise<{ since: string, paths: string[] } | { unknown: string }>, isRoot: boolean }} clone
 * @returns {Promise<{ parts: string[], lines: string[] }>}
 */
export async function chooseParts([first, ...more], { changeSince, isRoot }) {
  if (first === undefined) return { parts: gateParts, lines: [] };
  if (first === 'changed' && more.length <= 1) return chooseChanged(await changeSince(...more), isRoot);
  if (first === 'all' && more.length === 0) return { parts: Object.keys(testParts), lines: [] };
  const asked = [first, ...more];
  const unknown = asked.find((name) => !Object.hasOwn(testParts, name));
  if (unknown !== undefined)
    throw new SetupProblem(
      `Unknown test part "${unknown}". Use "npm test" for the gate, "npm test -- changed [BASE]", "npm test -- all", or name parts: ${Object.keys(testParts).join(', ')}.`,
    );
  return { parts: Object.keys(testParts).filter((name) => asked.includes(name)), lines: [] };
}

function chooseChanged(change, isRoot) {
  const ring = partsOfRing('changed');
  const isKnown = change.unknown === undefined;
  const touched = isKnown
    ? partsOfChange(change.paths)
    : ring.filter((part) => !testParts[part].isOnlyByPath).map((part) => ({ part, path: 'the change is not known' }));
  const obstacleOf = ({ part }) => {
    const { needsRoot, isBuilt } = testParts[part];
    if (needsRoot && !isRoot) return 'it needs root';
    return isBuilt?.() === false ? `its programs are not built here; "npm test -- ${part}" builds them` : undefined;
  };
  const added = touched.filter((each) => obstacleOf(each) === undefined);
  const leftOut = touched.filter((each) => obstacleOf(each) !== undefined);
  const line = ({ part, path }) => `  ${part.padEnd(12)} ${path}`;
  const untouched = ring.filter((part) => !touched.some((each) => each.part === part));
  return {
    parts: Object.keys(testParts).filter((name) => gateParts.includes(name) || added.some(({ part }) => part === name)),
    lines: [
      isKnown
        ? `Changed since ${change.since}: ${change.paths.length} paths.`
        : `${change.unknown} All parts are taken that a change can add.`,
      ...(added.length > 0 ? ['Beside the gate, each with a path that the change touches:', ...added.map(line)] : []),
      ...leftOut.map((each) => `Left out: ${each.part} (${each.path}): ${obstacleOf(each)}.`),
      ...(untouched.length > 0 ? [`Not touched: ${untouched.join(', ')}.`] : []),
    ],
  };
}
