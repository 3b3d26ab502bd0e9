import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noticesText } from './notices/document.mjs';
import { goComponents } from './notices/go.mjs';
import { bundledComponents } from './notices/npm.mjs';
import { agentPrograms, packedAgentPrograms } from './setup/agent.mjs';
import { mustRun, npm } from './setup/command.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/** Limit of the tarball: CI downloads it for every job. */
export const maxPackedBytes = 40 * 2 ** 20;

/** Where the package is put together; its folders are those of the clone, in which the command line finds its parts. */
const staging = inRoot('dist', 'npm', 'package');

/** What is copied from the clone, as source and place in the package. */
const content = [
  ['out/cli', 'out/cli'],
  ['out/viewer-page', 'out/viewer-page'],
  ['assets/lab', 'assets/lab', /\.(h264|ogg)$/],
  ['assets/presets', 'assets/presets', /\.yaml$/],
  ['assets/fidelity/chromium.json', 'assets/fidelity/chromium.json'],
  ['build/npm/README.md', 'README.md'],
  ['build/cli/fullhouse.1', 'man/fullhouse.1'],
];

/** Agents of the package: of all its systems, or those of a clone (Linux), which tests have already. */
const agentSets = {
  all: { part: 'agentsOfPackage', folder: 'build/packed-agents', programs: packedAgentPrograms },
  linux: { part: 'agent', folder: 'build/agents', programs: agentPrograms },
};

/**
 * Packs the command line as an npm package without Electron; resolves with the path of the tarball.
 * @param {'all' | 'linux'} systems whose agents it has
 */
export async function pack(systems = 'all') {
  const agents = agentSets[systems];
  await ensureReady(['dependencies', agents.part, 'cli']);
  const own = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  rmSync(dirname(staging), { recursive: true, force: true });
  mkdirSync(join(staging, 'bin'), { recursive: true });
  for (const [from, to, pattern] of [...content, [agents.folder, 'build/agents']])
    cpSync(inRoot(from), join(staging, to), {
      recursive: true,
      filter: (path) =>
        !path.endsWith('licenses.json') &&
        (statSync(path).isDirectory() || pattern === undefined || pattern.test(path)),
    });
  writeFileSync(join(staging, 'bin', 'fullhouse.js'), "#!/usr/bin/env node\nrequire('../out/cli/index.js');\n", {
    mode: 0o755,
  });
  writeFileSync(join(staging, 'THIRD-PARTY-NOTICES.txt'), await notices(own.version, agents.programs()));
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest(own), null, 2)}\n`);
  // No scripts of the package: nothing of it is run while it is packed.
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', dirname(staging)];
  await mustRun('Packing', npm, args, { cwd: staging, timeoutMs: 300_000 });
  const tarball = join(dirname(staging), `fullhouse-${own.version}.tgz`);
  const bytes = statSync(tarball).size;
  if (bytes > maxPackedBytes)
    throw new SetupProblem(`${tarball} has ${inMegabytes(bytes)}, more than ${inMegabytes(maxPackedBytes)}.`);
  return { tarball, bytes };
}

/** The package's own manifest: the clone's is private and has everything that building needs. */
function manifest({ name, version, description, license, author, engines }) {
  return {
    ...{ name, version, description, license, author, engines },
    type: 'commonjs',
    bin: { fullhouse: 'bin/fullhouse.js' },
    // npm installs it for a global installation.
    man: './man/fullhouse.1',
    // The agent's targets in the package.
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    dependencies: externalsOf(['index.js', 'runReader.js']),
  };
}

/** The packages that the bundles load at run time, in the versions of package-lock.json. */
function externalsOf(programs) {
  const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const found = new Set();
  const seen = new Set();
  const read = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/\b(?:require|import)\("([^"\\]+)"\)/g))
      if (name.startsWith('.')) read(join(dirname(path), name));
      else if (Object.hasOwn(dependencies, name)) found.add(name);
      else if (!isBuiltin(name))
        throw new SetupProblem(`The command line bundle loads "${name}", which is no dependency of package.json.`);
  };
  for (const program of programs) read(inRoot('out', 'cli', program));
  return Object.fromEntries([...found].sort().map((name) => [name, packages[`node_modules/${name}`].version]));
}

async function notices(version, programs) {
  const sections = [
    { title: 'In the command line', components: bundledComponents(root, ['cli', 'viewer-page']) },
    { title: 'In the agent', components: await goComponents(programs, inRoot('agent')) },
  ];
  for (const { components } of sections) components.sort((a, b) => (a.name < b.name ? -1 : 1));
  return noticesText(`Fullhouse command line ${version}`, sections, []);
}

const inMegabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

// Called directly, as `npm run pack`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runScript(async () => {
    const { tarball, bytes } = await pack();
    console.log(`${tarball}: ${inMegabytes(bytes)}.`);
  });
