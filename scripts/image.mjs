import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dockerArchive, imageOf, ociArchive } from './image/container.mjs';
import { noticesText } from './notices/document.mjs';
import { goComponents } from './notices/go.mjs';
import { agentProgram } from './setup/agent.mjs';
import { inRoot } from './setup/paths.mjs';
import { runScript } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/** Targets of the image: Go's name of the architecture, and the agent's target. */
const architectures = { amd64: 'linux-x64', arm64: 'linux-arm64' };
/** Samples that an audience publishes. */
const samples = ['sample-240p.h264', 'sample-240p.ogg'];
/** Any user but root; a number, so that Kubernetes can check it. */
const user = '65532:65532';

const { version, description } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** Name and tag of the agent's image until it is pushed; no registry serves names that start with localhost. */
export const imageTag = `localhost/fullhouse-agent:${version}`;
const folder = inRoot('dist', 'image');

/** Archives that `npm run image` writes: one for each architecture, and both in one OCI image layout. */
const archiveOf = (architecture) => join(folder, `fullhouse-agent-${version}-${architecture}.docker.tar`);
const ociArchivePath = join(folder, `fullhouse-agent-${version}.oci.tar`);

/** The archive for this machine. */
export const imageArchive = archiveOf(process.arch === 'arm64' ? 'arm64' : 'amd64');

/** Makes the agent's image without a container runtime; build/image/Containerfile makes the same with one. */
export async function makeImages() {
  await ensureReady(['agent']);
  const notices = await agentNotices();
  const images = Object.entries(architectures).map(([architecture, target]) =>
    imageOf({
      architecture,
      files: [
        { name: 'fullhouse-agent', data: readFileSync(agentProgram(target)), mode: 0o755 },
        { name: 'samples' },
        ...samples.map((name) => ({ name: `samples/${name}`, data: readFileSync(inRoot('assets', 'lab', name)) })),
        { name: 'THIRD-PARTY-NOTICES.txt', data: notices },
      ],
      config: {
        User: user,
        WorkingDir: '/',
        Entrypoint: ['/fullhouse-agent'],
        Labels: {
          'org.opencontainers.image.title': 'Fullhouse agent',
          'org.opencontainers.image.description': description,
          'org.opencontainers.image.version': version,
        },
      },
    }),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const image of images) writeFileSync(archiveOf(image.architecture), dockerArchive(image, imageTag));
  writeFileSync(ociArchivePath, ociArchive(images, version));
}

async function agentNotices() {
  const programs = Object.values(architectures).map(agentProgram);
  const components = await goComponents(programs, inRoot('agent'));
  return noticesText(`Fullhouse agent ${version}`, [{ title: 'In the agent', components }], []);
}

// Called directly, as `npm run image`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runScript(async () => {
    await makeImages();
    console.log(`${imageTag}, to load or push as build/image/README.md describes:`);
    for (const path of [...Object.keys(architectures).map(archiveOf), ociArchivePath]) console.log(`  ${path}`);
  });
