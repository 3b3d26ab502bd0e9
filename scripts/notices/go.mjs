import { mustRun } from '../setup/command.mjs';
import { requiredTexts } from './licenceTexts.mjs';

/** Go modules recorded in a program: `path@version`. */
export async function modulesOf(program) {
  const { stdout } = await mustRun('Reading the modules of the agent', 'go', ['version', '-m', program]);
  return [...stdout.matchAll(/^\tdep\t(\S+)\t(\S+)/gm)].map(([, path, version]) => `${path}@${version}`);
}

/** Components of the programs: their modules, and Go's standard library and runtime. */
export async function goComponents(programs, moduleFolder) {
  const modules = [...new Set((await Promise.all(programs.map(modulesOf))).flat())].sort();
  // Their sources are in the module cache, since the programs were just built.
  const { stdout } = await mustRun('Finding the modules of the agent', 'go', ['mod', 'download', '-json', ...modules], {
    cwd: moduleFolder,
  });
  const found = JSON.parse(`[${stdout.trim().replaceAll(/^}\n{$/gm, '},{')}]`);
  return [await goItself(), ...found.map(ofModule)];
}

const ofModule = ({ Path, Version, Dir }) => ({
  name: Path,
  version: Version,
  texts: requiredTexts(Dir, Path),
});

async function goItself() {
  const { stdout } = await mustRun('Reading the version of Go', 'go', ['env', 'GOVERSION', 'GOROOT']);
  const [version, folder] = stdout.trim().split('\n');
  const name = 'Go standard library and runtime';
  return { name, version, texts: requiredTexts(folder, name) };
}
