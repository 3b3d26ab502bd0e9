import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from './command.mjs';
import { inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const goArch = { x64: 'amd64', arm64: 'arm64' };
const goSystem = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** This machine (on a Mac both architectures, for the universal app), and the targets supported for SSH testers. */
const here = `${process.platform}-${process.arch}`;
const ofThisSystem = process.platform === 'darwin' ? ['darwin-x64', 'darwin-arm64'] : [here];
const targets = [...new Set([...ofThisSystem, 'linux-x64', 'linux-arm64'])];

/** What the npm package contains. */
const packedTargets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

const fileOf = (target) => (target.startsWith('win32-') ? 'fullhouse-agent.exe' : 'fullhouse-agent');

/** Path of the agent for this machine; packages include all of `build/agents`. */
export const agentPath = inRoot('build', 'agents', here, fileOf(here));

/** Path of the agent for a target such as `linux-arm64`. */
export const agentProgram = (target) => inRoot('build', 'agents', target, fileOf(target));

/** The agents for all targets of a package. */
export const agentPrograms = () => targets.map(agentProgram);

/** The folder of the agents in the npm package, and the programs in it. */
export const packedAgents = inRoot('build', 'packed-agents');
export const packedAgentPrograms = () => packedTargets.map((target) => join(packedAgents, target, fileOf(target)));

const version = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).version;

/**
 * The agents of some targets in one folder, with a manifest by target:
 * `{ "linux-x64": { file, sha256, bytes, version }, … }`, `file` relative to the manifest.
 */
function agents({ part, title, folder, targets }) {
  const manifestPath = join(folder, 'agents.json');
  const pathOf = (target) => join(folder, target, fileOf(target));
  const sources = () =>
    hashOf([inRoot('agent')], {
      extra: `${targets.join()} ${version()}`,
      accept: (path) => !path.endsWith('_test.go') && !path.includes('testdata'),
    });

  /**
   * Whether all programs match the manifest. Comparing sizes detects a truncated one without reading all of them at
   * each start.
   */
  function isComplete() {
    try {
      const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
      return targets.every((target) => statSync(pathOf(target)).size === manifest[target]?.bytes);
    } catch {
      return false;
    }
  }

  return {
    title,
    isReady: () => isComplete() && readStamp(part) === sources(),
    async make() {
      await checkGo();
      const hash = sources();
      const manifest = {};
      for (const target of targets) manifest[target] = await build(target, pathOf(target));
      writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
      writeStamp(part, hash);
    },
  };
}

async function build(target, path) {
  const [system, architecture] = target.split('-');
  mkdirSync(dirname(path), { recursive: true });
  // Static and without paths of the build machine, since it is copied to other machines.
  await mustRun(
    `Building the agent for ${target}`,
    'go',
    ['build', '-trimpath', '-ldflags', `-s -w -X main.version=${version()}`, '-o', path, './cmd/fullhouse-agent'],
    {
      cwd: inRoot('agent'),
      env: {
        CGO_ENABLED: '0',
        GOOS: goSystem[system] ?? system,
        GOARCH: goArch[architecture] ?? architecture,
      },
      timeoutMs: 900_000,
    },
  );
  const program = readFileSync(path);
  return {
    file: `${target}/${fileOf(target)}`,
    sha256: createHash('sha256').update(program).digest('hex'),
    bytes: program.length,
    version: version(),
  };
}

export const agent = agents({ part: 'agent', title: 'agent', folder: inRoot('build', 'agents'), targets });

export const agentsOfPackage = agents({
  part: 'packed-agents',
  title: 'agents of the npm package',
  folder: packedAgents,
  targets: packedTargets,
});
