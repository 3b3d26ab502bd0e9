import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeAddresses } from './node';

export const nodeName = 'node-1';
export const pauseImage = 'docker.io/library/fullhouse-test-pause:1';
export const apiPort = 6443;

/** Users of the cluster by their names in RBAC, each with its groups. */
const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  /** Has no rights until a test grants it some. */
  restricted: { name: 'restricted', groups: [] },
  kubelet: { name: `system:node:${nodeName}`, groups: ['system:nodes'] },
  controllers: { name: 'system:kube-controller-manager', groups: [] },
  scheduler: { name: 'system:kube-scheduler', groups: [] },
};

type User = keyof typeof users;

/** All files of a cluster's configuration. */
export interface ClusterFiles {
  readonly tokens: string;
  readonly serviceAccountKey: string;
  /** Folder of the API server's certificate, which it creates itself at its first start. */
  readonly certificates: string;
  readonly certificate: string;
  readonly containerd: string;
  readonly containerdSocket: string;
  readonly kubelet: string;
  kubeconfig(user: User): string;
}

/** Writes the configuration of all components into a folder. */
export function writeConfiguration(folder: string, addresses: NodeAddresses): ClusterFiles {
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const certificates = join(folder, 'certificates');
  const certificate = join(certificates, 'apiserver.crt');
  const network = join(folder, 'network');
  mkdirSync(network);
  writeFileSync(join(network, '10-pods.conflist'), podNetwork(addresses));
  const tokens = Object.entries(users).map(([user, { name, groups }]) => {
    const token = randomBytes(16).toString('hex');
    write(`${user}.kubeconfig`, kubeconfig(user, token, certificate, addresses));
    return [token, name, user, JSON.stringify(groups.join())].join();
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const containerdSocket = join(folder, 'containerd.sock');
  return {
    tokens: write('tokens.csv', `${tokens.join('\n')}\n`),
    serviceAccountKey: write('serviceAccounts.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    certificates,
    certificate,
    containerdSocket,
    containerd: write('containerd.toml', containerd(folder, network, containerdSocket)),
    kubelet: write('kubelet.json', JSON.stringify(kubelet(folder, containerdSocket))),
    kubeconfig: (user) => join(folder, `${user}.kubeconfig`),
  };
}

/** Also valid YAML, like any JSON. */
function kubeconfig(user: string, token: string, certificate: string, { node }: NodeAddresses): string {
  const cluster = { server: `https://${node}:${apiPort}`, 'certificate-authority': certificate };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user } }],
    'current-context': 'test',
  });
}

const podNetwork = ({ pods }: NodeAddresses): string =>
  JSON.stringify({
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'ptp',
        ipam: { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
    ],
  });

const containerd = (folder: string, network: string, socket: string): string => `version = 2
root = ${JSON.stringify(join(folder, 'containerd'))}
state = ${JSON.stringify(join(folder, 'containerd-state'))}
[grpc]
  address = ${JSON.stringify(socket)}
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${JSON.stringify(pauseImage)}
  # A machine without CAP_SYS_RESOURCE cannot lower the score of a process.
  restrict_oom_score_adj = true
  disable_tcp_service = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = ${JSON.stringify(network)}
`;

/** Control groups of the node's pods, below each controller. */
export const controlGroup = (folder: string): string => folder.split('/').at(-1) ?? folder;

const kubelet = (folder: string, socket: string): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  containerRuntimeEndpoint: `unix://${socket}`,
  cgroupDriver: 'cgroupfs',
  // Two kubelets with one root would delete each other's pods.
  cgroupRoot: `/${controlGroup(folder)}`,
  failCgroupV1: false,
  failSwapOn: false,
  // The disk of a test machine is the machine's business.
  evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '0%', 'imagefs.available': '0%' },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  readOnlyPort: 0,
  registerNode: true,
  resolvConf: '/etc/resolv.conf',
  // Faster than the defaults, so that tests wait less.
  syncFrequency: '10s',
  nodeStatusUpdateFrequency: '5s',
});
