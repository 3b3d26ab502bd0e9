import { agent } from './setup/agent.mjs';
import { bundles, cli, viewerPage } from './setup/bundles.mjs';
import { commandLink, dependencies } from './setup/dependencies.mjs';
import { electron } from './setup/electron.mjs';
import { kubernetes } from './setup/kubernetes.mjs';
import { livekit } from './setup/livekit.mjs';
import { withLock } from './setup/lock.mjs';
import { clusterPackages, packages } from './setup/packages.mjs';
import { vmaf } from './setup/vmaf.mjs';

/**
 * The parts of a ready clone, in build order. Each has `isReady()`, which is fast and uses no
 * network, and `make({ log })`.
 */
const allParts = {
  packages,
  clusterPackages,
  dependencies,
  commandLink,
  electron,
  agent,
  viewerPage,
  bundles,
  cli,
  livekit,
  vmaf,
  kubernetes,
};

/** Parts that others imply. */
const implied = { commandLink: ['dependencies'], viewerPage: ['bundles', 'cli'] };

/** Progress goes to stderr: stdout is for the caller's results. */
const toStderr = (line) => process.stderr.write(`${line}\n`);

/**
 * Prepares parts of the clone, each only if it is missing or stale. Throws a `SetupProblem` with the fix in its
 * message.
 * @param {('packages' | 'clusterPackages' | 'dependencies' | 'electron' | 'agent' | 'bundles' | 'cli' | 'livekit' | 'vmaf' | 'kubernetes')[]} parts
 * @param {{ log?: (line: string) => void }} [options]
 */
export async function ensureReady(parts, { log = toStderr } = {}) {
  const wanted = Object.keys(allParts).filter(
    (name) => parts.includes(name) || implied[name]?.some((part) => parts.includes(part)),
  );
  const stale = () => wanted.filter((name) => !allParts[name].isReady());
  if (stale().length === 0) return;
  await withLock(
    async () => {
      // Checked again for each part: a concurrent setup may have built it meanwhile, and parts depend on each other.
      for (const name of wanted) {
        if (allParts[name].isReady()) continue;
        const startMs = Date.now();
        log(`Preparing: ${allParts[name].title} ...`);
        await allParts[name].make({ log });
        log(`  ${allParts[name].title}: done in ${((Date.now() - startMs) / 1000).toFixed(1)} s`);
      }
    },
    { log },
  );
}
