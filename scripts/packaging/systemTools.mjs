import { existsSync, mkdirSync, statSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/problem.mjs';
import { systemTargets } from './targets.mjs';

/** A program of each package, and the Debian package that has it. */
const needed = {
  deb: [
    ['dpkg-deb', 'dpkg'],
    ['fakeroot', 'fakeroot'],
  ],
  rpm: [['rpmbuild', 'rpm']],
  'tar.gz': [['tar', 'tar']],
};

const onPath = (program) =>
  (process.env.PATH ?? '').split(':').some((folder) => folder && existsSync(`${folder}/${program}`));

/**
 * Makes packages of the unpacked app with tools of this Linux, where electron-builder cannot download its own. Settings
 * and names of files are those of electron.builder.yml.
 * @param {readonly string[]} targets
 * @param {{ config: object, version: string, isCompressed: boolean }} settings `config`: what `configFor` read
 */
export async function makeBySystemTools(targets, { config, version, isCompressed }) {
  const unknown = targets.find((target) => !systemTargets.includes(target));
  if (unknown)
    throw new SetupProblem(
      `${unknown} can be made only by electron-builder's own tools, which are not downloaded here. ` +
        `Name what the system's tools make: npm run package -- --linux ${systemTargets.join(' ')}`,
    );
  for (const [program, owner] of targets.flatMap((target) => needed[target]))
    if (!onPath(program))
      throw new SetupProblem(`${program} was not found, which is needed here. Install it (Debian: ${owner}).`);
  const output = inRoot(config.directories.output);
  mkdirSync(output, { recursive: true });
  const job = { config, app: inRoot('dist', 'linux-unpacked'), arch: process.arch, version, output, isCompressed };
  // The libraries check this, and folders of a package must be readable by everybody.
  process.umask(0o022);
  for (const target of targets) {
    const startMs = Date.now();
    const path = await make[target](job);
    console.log(
      `${path}: ${(statSync(path).size / 2 ** 20).toFixed(1)} MB in ${((Date.now() - startMs) / 1000).toFixed(0)} s`,
    );
  }
}

/** Loaded when needed: they are installed by setup. */
const make = {
  deb: async (job) => (await import('./deb.mjs')).makeDeb(job),
  rpm: async (job) => (await import('./rpm.mjs')).makeRpm(job),
  'tar.gz': async (job) => (await import('./tarGz.mjs')).makeTarGz(job),
};
