import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dockerArchive, imageOf } from '../../../scripts/image/container.mjs';
import { kubernetesFolder } from '../../../scripts/setup/kubernetes.mjs';
import { until } from '../until';
import { createGroups, removeGroups } from './cgroups';
import { controlGroup, nodeName, pauseImage, writeConfiguration, type ClusterFiles } from './configuration';
import { folderPrefix, own, removeAbandoned } from './leftovers';
import { ClusterNode, type NodeProgram } from './node';

const execute = promisify(execFile);
const built = (name: string): string => join(kubernetesFolder, name);

/** A Kubernetes of one node inside this machine. */
export interface Cluster {
  /** Temporary folder of everything; also the logs of all components. */
  readonly folder: string;
  /** Path of a kubeconfig file with all rights. */
  readonly kubeconfig: string;
  /** The same for the user `restricted`, without any right until RBAC objects grant it some. */
  readonly restrictedKubeconfig: string;
  /** This machine's address for pods: for servers under test. */
  readonly hostAddress: string;
  /** Imports an archive of images; pods use them with `imagePullPolicy: Never`. */
  importImage(tarPath: string): Promise<void>;
  /** Runs kubectl with all rights; resolves with its output. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Ends the API server; pods keep running. */
  stopApiServer(): Promise<void>;
  /** Starts it again; resolves when it is ready. */
  startApiServer(): Promise<void>;
  /** Ends and removes everything. */
  stop(): Promise<void>;
}

/** Starts a cluster; resolves when its node is ready. Its programs are built by `scripts/setup` (part `kubernetes`). */
export async function startCluster(): Promise<Cluster> {
  await removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), folderPrefix));
  own(folder);
  const group = controlGroup(folder);
  createGroups(group);
  let node: ClusterNode | undefined;
  const stop = async (): Promise<void> => {
    await node?.stop();
    await removeGroups(group);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    node = await ClusterNode.start(folder);
    return await startComponents(node, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startComponents(node: ClusterNode, stop: () => Promise<void>): Promise<Cluster> {
  const { folder, addresses } = node;
  const files = writeConfiguration(folder, addresses);
  const kubectl = (args: readonly string[], input?: string): Promise<string> =>
    run(built('kubectl'), ['--kubeconfig', files.kubeconfig('admin'), ...args], input);
  let apiServer: NodeProgram | undefined;
  const startApiServer = async (): Promise<void> => {
    apiServer = await node.program('apiserver', built('kube-apiserver'), apiServerFlags(files, node));
    await waitUntil('The API server is ready', apiServer, () => kubectl(['get', '--raw', '/readyz']));
  };
  const ctr = (...args: string[]): Promise<string> =>
    node.run('ctr', ['--address', files.containerdSocket, '--namespace', 'k8s.io', ...args]);

  await node.program('etcd', 'etcd', ['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync']);
  const containerd = await node.program('containerd', 'containerd', ['--config', files.containerd]);
  await startApiServer();
  await node.program('controllers', built('kube-controller-manager'), controllerFlags(files));
  await node.program('scheduler', built('kube-scheduler'), [
    ...['--kubeconfig', files.kubeconfig('scheduler'), '--leader-elect=false'],
  ]);
  await waitUntil('containerd is ready', containerd, () => ctr('version'));
  const pause = join(folder, 'pause.tar');
  writeFileSync(pause, pauseArchive());
  await ctr('images', 'import', pause);
  const kubelet = await node.program('kubelet', built('kubelet'), [
    ...['--config', files.kubelet, '--kubeconfig', files.kubeconfig('kubelet')],
    ...['--hostname-override', nodeName, '--node-ip', addresses.node],
  ]);
  await waitUntil('The node is ready', kubelet, async () => {
    await kubectl(['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=60s']);
    // Pods are refused until the controllers have created it.
    await kubectl(['get', 'serviceaccount', 'default']);
  });
  return {
    folder,
    kubeconfig: files.kubeconfig('admin'),
    restrictedKubeconfig: files.kubeconfig('restricted'),
    hostAddress: addresses.host,
    importImage: async (tarPath) => void (await ctr('images', 'import', tarPath)),
    kubectl,
    stopApiServer: async () => apiServer?.kill('SIGKILL'),
    startApiServer,
    stop,
  };
}

const apiServerFlags = (files: ClusterFiles, { addresses }: ClusterNode): string[] => [
  '--etcd-servers=http://127.0.0.1:2379',
  `--bind-address=${addresses.node}`,
  `--advertise-address=${addresses.node}`,
  `--cert-dir=${files.certificates}`,
  `--service-cluster-ip-range=${addresses.services}`,
  `--token-auth-file=${files.tokens}`,
  '--authorization-mode=Node,RBAC',
  `--service-account-key-file=${files.serviceAccountKey}`,
  `--service-account-signing-key-file=${files.serviceAccountKey}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  // The node's name does not resolve.
  '--kubelet-preferred-address-types=InternalIP',
];

const controllerFlags = (files: ClusterFiles): string[] => [
  `--kubeconfig=${files.kubeconfig('controllers')}`,
  '--use-service-account-credentials',
  `--service-account-private-key-file=${files.serviceAccountKey}`,
  `--root-ca-file=${files.certificate}`,
  '--leader-elect=false',
];

function pauseArchive(): Buffer {
  const files = [{ name: 'pause', data: readFileSync(built('pause')), mode: 0o755 }];
  const image = imageOf({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    files,
    config: { Entrypoint: ['/pause'] },
  });
  return dockerArchive(image, pauseImage);
}

/** Waits until something succeeds, for as long as its program runs. */
async function waitUntil(what: string, program: NodeProgram, attempt: () => Promise<unknown>): Promise<void> {
  let problem: unknown;
  const succeeds = async (): Promise<boolean> => {
    if (!program.isRunning()) return true;
    return attempt().then(
      () => true,
      (error: unknown) => {
        problem = error;
        return false;
      },
    );
  };
  const isInTime = await until(succeeds, 120_000);
  if (isInTime && program.isRunning()) return;
  const state = program.isRunning() ? 'still runs' : 'has ended';
  throw new Error(
    `Not reached: ${what}. ${program.name} ${state}; ${String(problem)}\n${program.log().split('\n').slice(-15).join('\n')}`,
  );
}

async function run(program: string, args: readonly string[], input?: string): Promise<string> {
  const running = execute(program, [...args], { maxBuffer: 64 << 20 });
  running.child.stdin?.end(input ?? '');
  return (await running).stdout;
}
