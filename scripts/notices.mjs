import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { noticesText } from './notices/document.mjs';
import { fontComponents } from './notices/fonts.mjs';
import { goComponents } from './notices/go.mjs';
import { npmComponents } from './notices/npm.mjs';
import { agentPrograms } from './setup/agent.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/** Regenerated for each package, which includes it as a resource. */
export const noticesFile = inRoot('build', 'THIRD-PARTY-NOTICES.txt');

/** Writes the licences of all shipped components; one without a licence is a `SetupProblem` that names it. */
export async function writeNotices() {
  await ensureReady(['dependencies', 'agent', 'bundles', 'cli']);
  const sections = [
    {
      title: 'In the app',
      components: [...npmComponents(root), ...fontComponents(inRoot('assets', 'fonts'))],
    },
    { title: 'In the agent', components: await goComponents(agentPrograms(), inRoot('agent')) },
  ];
  for (const { components } of sections) components.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  mkdirSync(inRoot('build'), { recursive: true });
  writeFileSync(noticesFile, noticesText(`Fullhouse ${version}`, sections));
  return sections.reduce((count, { components }) => count + components.length, 0);
}

// Called directly, as `npm run notices`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runScript(async () => {
    const count = await writeNotices();
    console.log(`${noticesFile}: ${count} components.`);
  });
