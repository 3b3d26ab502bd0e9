import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { cacheFolder, inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

/** A separate module: a cluster's dependencies do not belong in the agent's. Its go.sum pins them all. */
const source = inRoot('tests', 'support', 'cluster', 'programs');
const version = /k8s\.io\/kubernetes v(\S+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8'))[1];
const components = ['kube-apiserver', 'kubelet', 'kube-controller-manager', 'kube-scheduler', 'kubectl'];

/**
 * The programs of a cluster, and `pause`; used by tests only. FULLHOUSE_KUBERNETES names a folder that several clones
 * share.
 */
export const kubernetesFolder = process.env.FULLHOUSE_KUBERNETES ?? join(cacheFolder, 'kubernetes');
const program = (name) => join(kubernetesFolder, name);
const isBuilt = () => [...components, 'pause'].every((name) => existsSync(program(name)));
const sources = () => hashOf([source]);

/** Built from source, which any Go module mirror has. Rebuilt when a version changes. */
export const kubernetes = {
  title: `Kubernetes ${version} for the tests (10 to 20 minutes, once)`,
  isReady: () => isBuilt() && (process.env.FULLHOUSE_KUBERNETES !== undefined || readStamp('kubernetes') === sources()),
  async make() {
    await checkGo();
    const hash = sources();
    mkdirSync(kubernetesFolder, { recursive: true });
    const [major, minor] = version.split('.');
    // The programs know their version only from the linker.
    const versionFlags = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
    const linked = Object.entries(versionFlags).map(
      ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
    );
    for (const [name, path] of [
      ...components.map((component) => [component, `k8s.io/kubernetes/cmd/${component}`]),
      ['pause', './pause'],
    ])
      await mustRun(
        `Building ${name}`,
        // Other tests run meanwhile and have priority.
        'nice',
        [
          ...['-n', '19', 'go', 'build', '-buildvcs=false', '-trimpath'],
          ...['-ldflags', ['-s -w', ...linked].join(' '), '-o', program(name), path],
        ],
        // A module missing in go.sum, or with another hash, is refused instead of recorded.
        { cwd: source, env: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' }, timeoutMs: 2_400_000 },
      );
    writeStamp('kubernetes', hash);
  },
};
