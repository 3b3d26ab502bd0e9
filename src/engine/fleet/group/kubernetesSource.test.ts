import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../tests/support/until';
import { completionIndexAnnotation } from '../../../domain/kubernetes/names';
import { clusterEvent, pod as podSchema, type Pod } from '../../../domain/kubernetes/pod';
import { job as jobSchema } from '../../../domain/kubernetes/objects';
import { FullhouseError } from '../../../contract/calls';
import { systemClock } from '../../base/clock';
import type { Cluster } from '../../kubernetes/cluster';
import type { AgentLink, LinkState } from '../../links/agentLink';
import { KubernetesSource } from './kubernetesSource';

/** A cluster whose pods become what a test says. */
class FakeCluster {
  readonly pods = new Map<string, Pod>();
  readonly deleted: string[] = [];
  jobName: string | undefined;
  events: object[] = [];
  /** Instead of an answer to requests. */
  fault: FullhouseError | undefined;
  private change: ((kind: 'changed' | 'deleted', pod: Pod) => void) | undefined;

  set(index: number, suffix: string, status: object, metadata: object = {}): void {
    const name = `load-${index}-${suffix}`;
    const pod = podSchema.parse({
      metadata: {
        name,
        uid: name,
        creationTimestamp: new Date(Date.now() + Number(suffix)).toISOString(),
        annotations: { [completionIndexAnnotation]: String(index) },
        ...metadata,
      },
      status,
    });
    this.pods.set(name, pod);
    this.change?.('changed', pod);
  }

  runs(index: number, suffix = '1'): void {
    this.set(index, suffix, { phase: 'Running', containerStatuses: [{ name: 'agent', state: { running: {} } }] });
  }

  removes(name: string): void {
    const pod = this.pods.get(name);
    this.pods.delete(name);
    if (pod) this.change?.('deleted', pod);
  }

  readonly cluster = {
    who: 'The cluster test',
    context: 'test',
    namespace: 'load',
    createJob: ({ metadata }: { metadata: { name: string } }) => {
      if (this.fault) return Promise.reject(this.fault);
      this.jobName = metadata.name;
      return Promise.resolve(jobSchema.parse({ metadata: { name: metadata.name, uid: 'job' } }));
    },
    createSecret: () => Promise.resolve(),
    job: (name: string) => Promise.resolve(jobSchema.parse({ metadata: { name, uid: 'job' }, status: { active: 1 } })),
    jobs: () => Promise.resolve([]),
    extendJob: () => Promise.resolve(),
    deleteJob: (name: string) => {
      this.deleted.push(`Job ${name}`);
      this.pods.clear();
      return Promise.resolve(true);
    },
    deleteSecret: (name: string) => {
      const isFirst = !this.deleted.includes(`Secret ${name}`);
      this.deleted.push(`Secret ${name}`);
      return Promise.resolve(isFirst);
    },
    pods: () => Promise.resolve({ pods: [...this.pods.values()], version: '1' }),
    watchPods: (
      _selector: string,
      _version: string,
      onChange: NonNullable<FakeCluster['change']>,
      signal: AbortSignal,
    ) =>
      new Promise<void>((resolve) => {
        this.change = onChange;
        signal.addEventListener('abort', () => resolve());
      }),
    events: ({ kind }: { kind: string }) =>
      Promise.resolve(kind === 'Job' ? this.events.map((event) => clusterEvent.parse(event)) : []),
    lastLogLine: () => Promise.resolve('The token is too short.'),
  } as unknown as Cluster;
}

const sources: KubernetesSource[] = [];
afterEach(async () => {
  for (const source of sources.splice(0)) await source.close();
});

function sourceIn(fake: FakeCluster, replicas = 2) {
  const closed: string[] = [];
  const members: string[] = [];
  const losses: Array<readonly [number, string]> = [];
  const source = new KubernetesSource({
    id: 'load',
    settings: { replicas, image: 'registry.example/load/agent:1' },
    owner: { id: '1', user: 'qa', host: 'here', pid: 1 },
    version: '0.1.0',
    clock: systemClock,
    open: () => Promise.resolve(fake.cluster),
    openLink: ({ who }) => {
      const state: LinkState = 'live';
      return Promise.resolve({
        state,
        onState: () => () => undefined,
        request: () => Promise.resolve({}),
        close: () => closed.push(who),
      } as unknown as AgentLink);
    },
  });
  source.onMember(({ index, name }) => members.push(`${index} ${name}`));
  source.onLost((index, reason) => losses.push([index, reason]));
  sources.push(source);
  return { source, members, losses, closed };
}

const never = new AbortController().signal;

describe('members in pods', () => {
  it('is started once each pod runs, and reports one that ends and its replacement', async () => {
    const fake = new FakeCluster();
    const { source, members, losses, closed } = sourceIn(fake);
    const started = source.start(never);
    await until(() => fake.jobName !== undefined);
    fake.runs(0);
    expect(await Promise.race([started.then(() => 'started'), until(() => source.readiness.ready === 1)])).toBe(true);
    fake.runs(1);
    await started;
    expect(source.readiness).toEqual({ size: 2, ready: 2, missing: [] });
    expect(members).toEqual(['0 load-0-1', '1 load-1-1']);

    const terminated = { exitCode: 137, reason: 'OOMKilled' };
    fake.set(1, '1', { phase: 'Failed', containerStatuses: [{ name: 'agent', state: { terminated } }] });
    expect(await until(() => losses.length === 1)).toBe(true);
    expect(losses).toEqual([[1, 'load-1-1 ended: out of memory (OOM killed)']]);
    expect(closed).toEqual(['The agent in load-1-1']);
    expect(source.readiness).toMatchObject({
      ready: 1,
      missing: [{ index: 1, reason: 'out of memory (OOM killed).' }],
    });

    fake.runs(1, '2');
    expect(await until(() => source.readiness.ready === 2)).toBe(true);
    expect(members.at(-1)).toBe('1 load-1-2');
    expect(losses).toHaveLength(1);
  });

  it('a deleted pod is lost at once, whether it vanishes or is still ending', async () => {
    const fake = new FakeCluster();
    const { source, losses } = sourceIn(fake);
    const started = source.start(never);
    await until(() => fake.jobName !== undefined);
    fake.runs(0);
    fake.runs(1);
    await started;
    fake.removes('load-0-1');
    fake.set(1, '1', { phase: 'Running' }, { deletionTimestamp: '2026-11-25T10:00:00Z' });
    expect(await until(() => losses.length === 2)).toBe(true);
    expect(losses).toEqual([
      [0, 'load-0-1 ended: deleted'],
      [1, 'load-1-1 ended: deleted'],
    ]);
  });

  it('waits no longer than the final reasons', async () => {
    const fake = new FakeCluster();
    const { source } = sourceIn(fake, 3);
    const started = source.start(never);
    await until(() => fake.jobName !== undefined);
    fake.runs(0);
    fake.set(1, '1', { containerStatuses: [{ name: 'agent', state: { waiting: { reason: 'ErrImageNeverPull' } } }] });
    fake.events = [
      {
        reason: 'FailedCreate',
        message:
          'Error creating: pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
        involvedObject: { kind: 'Job', name: fake.jobName },
      },
    ];
    await started;
    expect(source.readiness).toMatchObject({
      ready: 1,
      missing: [
        { index: 1, reason: 'image is not on its node, and pullPolicy is Never.', isFinal: true },
        { index: 2, reason: 'quota q exceeded: requests pods=1, used pods=2 of pods=2.', isFinal: true },
      ],
    });
  });

  it('a pod that ends at its start has its code and last log line as the reason', async () => {
    const fake = new FakeCluster();
    const { source } = sourceIn(fake, 1);
    const started = source.start(never);
    await until(() => fake.jobName !== undefined);
    const state = { terminated: { exitCode: 2, reason: 'Error' } };
    for (const suffix of ['1', '2', '3'])
      fake.set(0, suffix, { phase: 'Failed', containerStatuses: [{ name: 'agent', state }] });
    await started;
    expect(source.readiness.missing).toMatchObject([
      { reason: 'ended with code 2: The token is too short (3 times).', isFinal: true },
    ]);
  });

  it('can be given up, and stopping deletes Job and Secret', async () => {
    const fake = new FakeCluster();
    const { source } = sourceIn(fake);
    const abort = new AbortController();
    const started = source.start(abort.signal);
    await until(() => fake.jobName !== undefined);
    abort.abort();
    await started;
    await source.stop();
    expect(fake.deleted.slice(0, 2)).toEqual([`Job ${fake.jobName}`, `Secret ${fake.jobName}`]);
    expect(source.readiness).toMatchObject({ size: 2, ready: 0 });
  });

  it('rejects when the Job can not be created', async () => {
    const fake = new FakeCluster();
    fake.fault = new FullhouseError('cluster-refused', 'The cluster test does not allow to create the Job.');
    const { source } = sourceIn(fake);
    await expect(source.start(never)).rejects.toThrow('does not allow');
    await source.stop();
    expect(fake.deleted).toEqual([]);
  });
});
