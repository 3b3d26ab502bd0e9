import { agent } from './setup/agent.mjs';
import { bundles, cli } from './setup/bundles.mjs';
import { commandLink, dependencies } from './setup/dependencies.mjs';
import { electron } from './setup/electron.mjs';
import { livekit } from './setup/livekit.mjs';
import { withLock } from './setup/lock.mjs';
import { packages } from './setup/packages.mjs';

/**
 * The parts of a ready clone, in the order in which they are made. Each has `isReady()`, which is cheap and reaches no
 * network, and `make({ log })`.
 */
const allParts = { packages, dependencies, commandLink, electron, agent, bundles, cli, livekit };

/** Progress goes to stderr: stdout belongs to the results of whoever asked. */
const toStderr = (line) => process.stderr.write(`${line}\n`);

/**
 * Makes parts of the clone ready, each only when it is missing or stale. Throws a `SetupProblem` whose message says
 * what to do.
 * @param {('packages' | 'dependencies' | 'electron' | 'agent' | 'bundles' | 'cli' | 'livekit')[]} parts
 * @param {{ log?: (line: string) => void }} [options]
 */
export async function ensureReady(parts, { log = toStderr } = {}) {
  const wanted = Object.keys(allParts).filter(
    (name) => parts.includes(name) || (name === 'commandLink' && parts.includes('dependencies')),
  );
  const stale = () => wanted.filter((name) => !allParts[name].isReady());
  if (stale().length === 0) return;
  await withLock(
    async () => {
      // Asked again part by part: what one setup waited for, another may have made, and parts build on each other.
      for (const name of wanted) {
        if (allParts[name].isReady()) continue;
        const startMs = Date.now();
        log(`Making ready: ${allParts[name].title} ...`);
        await allParts[name].make({ log });
        log(`  ${allParts[name].title}: done in ${((Date.now() - startMs) / 1000).toFixed(1)} s`);
      }
    },
    { log },
  );
}
