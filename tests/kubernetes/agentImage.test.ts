import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { imageArchive, imageTag, makeImages } from '../../scripts/image.mjs';
import { kubernetesFolder } from '../../scripts/setup/kubernetes.mjs';
import type { JobSample, TesterSample } from '../../src/contract/agentSample';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import type { AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { agentFolder, samplesFolder } from '../integration/support';
import { startCluster, type Cluster } from '../support/cluster/cluster';
import { until } from '../support/until';

const port = 27_517;
const token = randomBytes(16).toString('hex');

/** As a cautious cluster runs it: nothing is writable, and the user is any but root. */
const job = (name: string, replicas: number): string =>
  JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completionMode: 'Indexed',
      completions: replicas,
      parallelism: replicas,
      backoffLimitPerIndex: 3,
      podReplacementPolicy: 'Failed',
      template: {
        metadata: { labels: { job: name } },
        spec: {
          restartPolicy: 'Never',
          dnsPolicy: 'Default',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, fsGroup: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
          volumes: [{ name: 'token', secret: { secretName: 'token', defaultMode: 0o400 } }],
          containers: [
            {
              name: 'agent',
              image: imageTag,
              imagePullPolicy: 'Never',
              args: [
                ...['audience', '--listen', `127.0.0.1:${port}`, '--token-file', '/token/token'],
                ...['--samples', '/samples', '--idle-timeout', '60s', '--exit-after', '60s'],
              ],
              readinessProbe: {
                exec: { command: ['/fullhouse-agent', 'probe', '--address', `127.0.0.1:${port}`] },
                periodSeconds: 1,
              },
              resources: { limits: { cpu: '500m', memory: '200Mi' }, requests: { cpu: '50m', memory: '50Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [{ name: 'token', mountPath: '/token', readOnly: true }],
            },
          ],
        },
      },
    },
  });

describe("the agent's image in pods of an Indexed Job", () => {
  const undo: (() => unknown)[] = [];
  let cluster: Cluster;
  beforeAll(async () => {
    await makeImages();
    cluster = await startCluster();
    await cluster.importImage(imageArchive);
    await cluster.kubectl(['create', 'secret', 'generic', 'token', `--from-literal=token=${token}`]);
  });
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  afterAll(() => cluster?.stop());

  const field = async (name: string, path: string): Promise<string[]> => {
    const selected = ['get', 'pods', '-l', `job=${name}`, '--sort-by=.metadata.name'];
    return (await cluster.kubectl([...selected, '-o', `jsonpath={.items[*]${path}}`])).split(' ').filter(Boolean);
  };

  /** Starts the Job and resolves with the names of its pods, by index, when all are ready. */
  async function started(name: string, replicas: number): Promise<string[]> {
    undo.push(() => cluster.kubectl(['delete', 'job', name, '--wait', '--cascade=foreground']));
    await cluster.kubectl(['apply', '-f', '-'], job(name, replicas));
    const areCreated = async (): Promise<boolean> => (await field(name, '.metadata.name')).length === replicas;
    expect(await until(areCreated, 30_000)).toBe(true);
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '-l', `job=${name}`, '--timeout=60s']);
    return field(name, '.metadata.name');
  }

  /** A link to the agent of a pod, through kubectl's port-forward. */
  async function linkTo(pod: string): Promise<AgentLink> {
    const forward = spawn(
      join(kubernetesFolder, 'kubectl'),
      ['--kubeconfig', cluster.kubeconfig, 'port-forward', `pod/${pod}`, `:${port}`],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    undo.push(() => ended(forward));
    const [line] = (await once(createInterface(forward.stdout), 'line')) as [string];
    const address = /127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
    const link = await openAgentLink({ address: () => address, token, who: pod, version: '0.1.0' });
    undo.push(() => link.close());
    return link;
  }

  /** The WHEP address of a stream that a lab on this machine publishes. */
  async function streamOfThisMachine(): Promise<string> {
    const lab = await startLocalAgent({
      binary: localAgentBinary(agentFolder),
      role: 'lab',
      args: [
        ...['--samples', samplesFolder, '--idle-timeout', '5m', '--network'],
        ...['--http', `${cluster.hostAddress}:0`, '--media', `${cluster.hostAddress}:0`],
      ],
    });
    undo.push(() => lab.end(undefined, true));
    const { address } = lab.listening;
    const link = await openAgentLink({ address: () => address, token: lab.token, who: 'lab', version: '0.1.0' });
    undo.push(() => link.close());
    return (await link.request('lab.publish-sample', { stream: 'cam', sample: 'sample-240p' })).whepUrl;
  }

  it('runs without root and without a writable file, is probed, and its viewers receive media', async () => {
    const pods = await started('audience', 4);
    expect(pods).toHaveLength(4);
    const url = await streamOfThisMachine();
    const links = await Promise.all(pods.map(linkTo));
    // Each agent is process 1 of its pod, and another instance.
    expect(links.map(({ hello }) => hello.pid)).toEqual([1, 1, 1, 1]);
    expect(new Set(links.map(({ hello }) => hello.instance)).size).toBe(4);
    expect(links[0]?.hello.publishes).toContain('whip');
    const connected = links.map((link) => latestJob(link));
    for (const link of links)
      await link.request('audience.start', {
        job: 'pull',
        protocol: 'whep',
        url,
        viewers: 10,
        ratePerSecond: 20,
        holdMs: 0,
      });
    const areConnected = (): boolean => connected.every((job) => job()?.connected === 10);
    expect(await until(areConnected, 30_000), JSON.stringify(connected.map((job) => job()))).toBe(true);
    // The container's limit, not the machine's memory.
    expect(await latestTester(links[0])).toMatchObject({ memoryTotalBytes: 200 * 2 ** 20 });
  });

  it('disconnects its viewers when its pod is deleted, and a pod of the same index replaces it', async () => {
    const [first] = await started('evicted', 1);
    const link = await linkTo(first ?? '');
    const events: string[] = [];
    link.onRecord((record) => {
      if (record.kind === 'event') events.push(record.event.name);
    });
    const job = latestJob(link);
    await link.request('audience.start', {
      job: 'pull',
      protocol: 'whep',
      url: await streamOfThisMachine(),
      viewers: 5,
      ratePerSecond: 10,
      holdMs: 0,
    });
    expect(await until(() => job()?.connected === 5, 20_000)).toBe(true);
    await cluster.kubectl(['delete', 'pod', first ?? '', '--wait=false']);
    expect(await until(() => events.includes('job-ended'), 20_000)).toBe(true);
    expect(await until(() => job()?.present === 0, 5000)).toBe(true);
    const next = async (): Promise<boolean> => {
      const [names, phases] = [await field('evicted', '.metadata.name'), await field('evicted', '.status.phase')];
      return names.some((name, index) => name !== first && phases[index] === 'Running');
    };
    expect(await until(next, 60_000)).toBe(true);
    const index = '.metadata.labels.batch\\.kubernetes\\.io/job-completion-index';
    expect(new Set(await field('evicted', index))).toEqual(new Set(['0']));
  });
});

/** The latest sample of a link's job. */
function latestJob(link: AgentLink): () => JobSample | undefined {
  let latest: JobSample | undefined;
  link.onRecord((record) => {
    if (record.kind === 'sample') latest = record.sample.jobs?.[0] ?? latest;
  });
  return () => latest;
}

function latestTester(link: AgentLink | undefined): Promise<TesterSample> {
  return new Promise((resolve) => {
    link?.onRecord((record) => {
      if (record.kind === 'sample' && 'tester' in record.sample && record.sample.tester) resolve(record.sample.tester);
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
