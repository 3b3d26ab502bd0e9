/**
 * Starts a cluster by hand: `node tests/support/cluster/start.mjs`. Prints the paths of its kubeconfig files and this
 * machine's address for pods, imports the images named as arguments, and ends the cluster at Ctrl-C or SIGTERM.
 */
import { runnerImport } from 'vite';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { runScript } from '../../../scripts/setup/problem.mjs';
import { ensureReady } from '../../../scripts/setup.mjs';

await runScript(async () => {
  await ensureReady(['clusterPackages', 'kubernetes']);
  const { module } = await runnerImport(inRoot('tests', 'support', 'cluster', 'cluster.ts'));
  const cluster = await module.startCluster();
  try {
    for (const archive of process.argv.slice(2)) await cluster.importImage(archive);
    const { folder, kubeconfig, restrictedKubeconfig, hostAddress } = cluster;
    console.log(JSON.stringify({ folder, kubeconfig, restrictedKubeconfig, hostAddress }));
    await new Promise((resolve) => {
      // The event loop has nothing else to wait for.
      const alive = setInterval(() => undefined, 60_000);
      for (const signal of ['SIGINT', 'SIGTERM'])
        process.once(signal, () => {
          clearInterval(alive);
          resolve();
        });
    });
  } finally {
    await cluster.stop();
  }
  return 0;
});
