import { mustRun } from '../setup/command.mjs';
import { requiredTexts } from './licenceTexts.mjs';

/** Go modules in a program, as the program itself records them: `path@version`. */
export async function modulesOf(program) {
  const { stdout } = await mustRun('Reading the modules of the agent', 'go', ['version', '-m', program]);
  return [...stdout.matchAll(/^\tdep\t(\S+)\t(\S+)/gm)].map(([, path, version]) => `${path}@${version}`);
}

/** What the programs are made of: their modules, and Go's own library and runtime, which are in each. */
export async function goComponents(programs, moduleFolder) {
  const modules = [...new Set((await Promise.all(programs.map(modulesOf))).flat())].sort();
  // Their sources are in the module cache, as the programs were just built from them.
  const { stdout } = await mustRun(
    'Finding the modules of the agent',
    'go',
    ['mod', 'download', '-json', ...modules],
    {
      cwd: moduleFolder,
    },
  );
  const found = JSON.parse(`[${stdout.trim().replaceAll(/^}\n{$/gm, '},{')}]`);
  return [await goItself(), ...found.map(ofModule)];
}

const ofModule = ({ Path, Version, Dir }) => ({
  name: Path,
  version: Version,
  texts: requiredTexts(Dir, Path),
});

async function goItself() {
  const { stdout } = await mustRun('Asking for the version of Go', 'go', ['env', 'GOVERSION', 'GOROOT']);
  const [version, folder] = stdout.trim().split('\n');
  const name = 'Go standard library and runtime';
  return { name, version, texts: requiredTexts(folder, name) };
}
