import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mergedBom } from './sbom/merge.mjs';
import { fontComponents } from './notices/fonts.mjs';
import { goComponents } from './notices/go.mjs';
import { npmComponents } from './notices/npm.mjs';
import { agentPrograms } from './setup/agent.mjs';
import { mustRun, npm } from './setup/command.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { runScript, SetupProblem } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/** The software bill of materials of the app, as CycloneDX: npm's own list, limited to what ships, with the agent. */
export async function writeSbom(file) {
  await ensureReady(['dependencies', 'agent', 'bundles', 'cli']);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { stdout } = await mustRun('Listing the npm packages', npm, args, { timeoutMs: 120_000 });
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const bom = mergedBom(JSON.parse(stdout), {
    version,
    npm: [...npmComponents(root), electronComponent()],
    go: await goComponents(agentPrograms(), inRoot('agent')),
    fonts: fontComponents(inRoot('assets', 'fonts')),
  });
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  return bom.components.length;
}

/** Its package is for development only: the program is downloaded. */
function electronComponent() {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  return { name: 'electron', version: packages['node_modules/electron'].version };
}

// Called directly, as `npm run sbom -- FILE`.
if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '.')).href)
  await runScript(async () => {
    const [file] = process.argv.slice(2);
    if (file === undefined) throw new SetupProblem('The file is missing: npm run sbom -- FILE.cdx.json');
    console.log(`${resolve(file)}: ${await writeSbom(resolve(file))} components.`);
  });
