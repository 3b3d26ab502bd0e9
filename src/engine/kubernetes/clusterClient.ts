import type { Duplex } from 'node:stream';
import type { ConfigurationOptions } from '@kubernetes/client-node';
import type { z } from 'zod';
import type { ClusterPermission } from '../../domain/kubernetes/access';
import type { jobManifest, secretManifest } from '../../domain/kubernetes/manifest';
import { agentContainer, defaultNamespace } from '../../domain/kubernetes/names';
import { clusterNode, job, networkPolicy, quota } from '../../domain/kubernetes/objects';
import { clusterEvent, pod, type Pod } from '../../domain/kubernetes/pod';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import { FullhouseError } from '../../contract/calls';
import { timeoutSignal, type Clock } from '../base/clock';
import { requireRealAddress } from '../base/realAddress';
import type { Cluster } from './cluster';
import { clusterFault, isAbsent, isUnauthorized } from './clusterFaults';
import { kubeClient, type KubeClient } from './kubeClient';
import { kubeLogin } from './kubeconfig';
import { directHttp, withoutRedirects } from './directHttp';
import type * as client from './library';
import { openPodStream } from './podStream';

/** An API server that does not answer counts as absent after this time. */
const requestMs = 10_000;
/** The API server ends a watch after this time; a dead connection is noticed by then too. */
const watchSeconds = 60;

/** Connects to the namespace that the settings name. Rejects when the kubeconfig is unusable. */
export async function openCluster(
  settings: Pick<KubernetesSettings, 'kubeconfig' | 'context' | 'namespace'>,
  clock: Clock,
): Promise<Cluster> {
  const login = kubeLogin(settings);
  requireRealAddress(`the cluster ${login.cluster.name} in the kubeconfig`, login.cluster.server);
  const client = await kubeClient(login, clock);
  // Before the first request: a program may wait for the person, which is not the cluster's time.
  await client.plugin?.credentials();
  return new ClusterClient(client, settings.namespace ?? login.context.namespace ?? defaultNamespace, clock);
}

/** A namespace of a cluster, by the official client. */
class ClusterClient implements Cluster {
  readonly who: string;
  readonly context: string;
  private readonly core: client.CoreV1Api;
  private readonly batch: client.BatchV1Api;
  private readonly networking: client.NetworkingV1Api;
  private readonly authorization: client.AuthorizationV1Api;
  private readonly versions: client.VersionApi;
  /** For a patch: the client would send the first media type of the API's list. */
  private readonly asMergePatch: ConfigurationOptions;

  private readonly library: typeof client;
  private readonly config: client.KubeConfig;

  constructor(
    private readonly client: KubeClient,
    readonly namespace: string,
    private readonly clock: Clock,
  ) {
    const { library, config } = client;
    this.library = library;
    this.config = withoutRedirects(config);
    this.context = config.getCurrentContext();
    this.who = `The cluster ${this.context}`;
    const configuration = library.createConfiguration({
      baseServer: new library.ServerConfiguration(config.getCurrentCluster()?.server ?? '', {}),
      httpApi: directHttp(library),
      authMethods: { default: config },
      promiseMiddleware: [
        {
          pre: (context) => {
            context.setSignal(timeoutSignal(this.clock, requestMs));
            return Promise.resolve(context);
          },
          post: (context) => Promise.resolve(context),
        },
      ],
    });
    this.core = new library.CoreV1Api(configuration);
    this.batch = new library.BatchV1Api(configuration);
    this.networking = new library.NetworkingV1Api(configuration);
    this.authorization = new library.AuthorizationV1Api(configuration);
    this.versions = new library.VersionApi(configuration);
    this.asMergePatch = library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch);
  }

  createJob(manifest: ReturnType<typeof jobManifest>) {
    const { namespace } = this;
    return this.ask(`create the Job ${manifest.metadata.name}`, job, () =>
      this.batch.createNamespacedJob({ namespace, body: manifest }),
    );
  }

  async createSecret(manifest: ReturnType<typeof secretManifest>): Promise<void> {
    const { namespace } = this;
    await this.call(`create the Secret ${manifest.metadata.name}`, () =>
      this.core.createNamespacedSecret({ namespace, body: manifest }),
    );
  }

  job(name: string) {
    const { namespace } = this;
    return this.ask(`read the Job ${name}`, job, () => this.batch.readNamespacedJob({ namespace, name }));
  }

  async jobs(labelSelector: string) {
    const { namespace } = this;
    const { items } = await this.call('list Jobs', () => this.batch.listNamespacedJob({ namespace, labelSelector }));
    return items.map((item) => this.checked(job, item));
  }

  async extendJob(name: string, deadlineSeconds: number): Promise<void> {
    const { namespace } = this;
    await this.call(`extend the Job ${name}`, () =>
      this.batch.patchNamespacedJob(
        { namespace, name, body: { spec: { activeDeadlineSeconds: deadlineSeconds } } },
        this.asMergePatch,
      ),
    );
  }

  deleteJob(name: string): Promise<boolean> {
    const { namespace } = this;
    return existed(
      this.call(`delete the Job ${name}`, () =>
        this.batch.deleteNamespacedJob({ namespace, name, propagationPolicy: 'Background' }),
      ),
    );
  }

  deleteSecret(name: string): Promise<boolean> {
    const { namespace } = this;
    return existed(this.call(`delete the Secret ${name}`, () => this.core.deleteNamespacedSecret({ namespace, name })));
  }

  async pods(labelSelector: string) {
    const { namespace } = this;
    const { items, metadata } = await this.call('list pods', () =>
      this.core.listNamespacedPod({ namespace, labelSelector }),
    );
    return { pods: items.map((item) => this.checked(pod, item)), version: metadata?.resourceVersion ?? '' };
  }

  watchPods(
    labelSelector: string,
    resourceVersion: string,
    onChange: (kind: 'changed' | 'deleted', pod: Pod) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      new this.library.Watch(this.config)
        .watch(
          `/api/v1/namespaces/${encodeURIComponent(this.namespace)}/pods`,
          { labelSelector, resourceVersion, timeoutSeconds: watchSeconds },
          (kind: string, object: unknown) => {
            const read = pod.safeParse(object);
            if (read.success && kind !== 'BOOKMARK' && kind !== 'ERROR')
              onChange(kind === 'DELETED' ? 'deleted' : 'changed', read.data);
          },
          () => resolve(),
        )
        .then((controller) => {
          const end = (): void => controller.abort();
          signal.addEventListener('abort', end, { once: true });
          if (signal.aborted) end();
        }, reject);
    });
  }

  async events({ kind, name, reason }: { readonly kind: string; readonly name?: string; readonly reason?: string }) {
    const { namespace } = this;
    const of = [
      `involvedObject.kind=${kind}`,
      ...(name === undefined ? [] : [`involvedObject.name=${name}`]),
      ...(reason === undefined ? [] : [`reason=${reason}`]),
    ];
    const { items } = await this.call('list events', () =>
      this.core.listNamespacedEvent({ namespace, fieldSelector: of.join(','), limit: 500 }),
    );
    return items.map((item) => this.checked(clusterEvent, item));
  }

  async lastLogLine(name: string): Promise<string | undefined> {
    const { namespace } = this;
    const text = await this.call(`read the log of ${name}`, () =>
      this.core.readNamespacedPodLog({ namespace, name, container: agentContainer, tailLines: 1 }),
    );
    const line = text?.trim();
    return line ? line : undefined;
  }

  async connect(name: string, port: number): Promise<Duplex> {
    try {
      await this.client.plugin?.credentials();
      return await openPodStream(this.config, this.namespace, name, port, this.clock);
    } catch (error) {
      throw clusterFault(error, this.who, `connect to ${name}`);
    }
  }

  async isAllowed({ group, resource, subresource, verb }: ClusterPermission, ofCluster = false) {
    const { status } = await this.call('check permissions', () =>
      this.authorization.createSelfSubjectAccessReview({
        body: {
          spec: {
            resourceAttributes: {
              ...(ofCluster ? {} : { namespace: this.namespace }),
              ...{ group, resource, subresource, verb },
            },
          },
        },
      }),
    );
    const reason = status?.reason;
    return { allowed: status?.allowed ?? false, ...(reason ? { reason } : {}) };
  }

  async version(): Promise<string> {
    return (await this.call('read its version', () => this.versions.getCode())).gitVersion;
  }

  async quotas() {
    const { namespace } = this;
    const { items } = await this.call('list quotas', () => this.core.listNamespacedResourceQuota({ namespace }));
    return items.map((item) => this.checked(quota, item));
  }

  async networkPolicies() {
    const { namespace } = this;
    const { items } = await this.call('list network policies', () =>
      this.networking.listNamespacedNetworkPolicy({ namespace }),
    );
    return items.map((item) => this.checked(networkPolicy, item));
  }

  async nodes() {
    const { items } = await this.call('list nodes', () => this.core.listNode());
    return items.map((item) => this.checked(clusterNode, item));
  }

  private async call<T>(action: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request().catch((error: unknown) => this.again(error, request));
    } catch (error) {
      throw clusterFault(error, this.who, action);
    }
  }

  /** Once more with new credentials, if the cluster rejected those of a program. */
  private again<T>(error: unknown, request: () => Promise<T>): Promise<T> {
    const { plugin } = this.client;
    if (!plugin || !isUnauthorized(error)) throw error;
    plugin.reject();
    return request();
  }

  private async ask<T extends z.ZodType>(
    action: string,
    schema: T,
    request: () => Promise<unknown>,
  ): Promise<z.infer<T>> {
    return this.checked(schema, await this.call(action, request));
  }

  private checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new FullhouseError(
      'cluster-failed',
      `${this.who} returned an unexpected object (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).`,
    );
  }
}

/** Whether the object of a deletion existed. */
async function existed(deletion: Promise<unknown>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
