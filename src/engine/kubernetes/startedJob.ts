import { randomBytes } from 'node:crypto';
import { every, sleep, type Cancel, type Clock } from '../base/clock';
import { deadlineSeconds, jobManifest, secretManifest, type ManifestOptions } from '../../domain/kubernetes/manifest';
import { clusterLabels, objectName } from '../../domain/kubernetes/names';
import { FullhouseError } from '../../contract/calls';
import type { Cluster } from './cluster';
import { isTemporary } from './clusterFaults';

/** A Job that was created with its Secret. */
export interface StartedJob {
  readonly name: string;
  /** Selects its pods. */
  readonly selector: string;
  readonly token: string;
}

/** Creates the Job and its Secret. Nothing is left when it rejects. */
export async function startJob(cluster: Cluster, options: Omit<ManifestOptions, 'name'>): Promise<StartedJob> {
  const name = objectName(options.node, randomBytes(4).toString('hex'));
  const token = randomBytes(32).toString('hex');
  const all = { ...options, name, settings: { ...options.settings, namespace: cluster.namespace } };
  const { metadata } = await cluster.createJob(jobManifest(all));
  try {
    // Pods wait for it. With the Job as its owner the cluster deletes it with the Job, whoever deletes that.
    await cluster.createSecret(secretManifest(all, token, metadata.uid));
  } catch (error) {
    await cluster.deleteJob(name).catch(() => undefined); // the first failure is reported; the Job has a deadline
    throw error;
  }
  return { name, token, selector: `${clusterLabels.instance}=${name}` };
}

/** For how long an absent API server is waited for. */
const deleteMs = 45_000;
/** Pods get 15 s to end after their Job is deleted. */
const goneMs = 45_000;
const pollMs = 500;

/** Deletes a Job with its Secret and pods, and waits until they are gone. Rejects with a sentence on what is left. */
export async function deleteJobCompletely(
  cluster: Cluster,
  { name, selector }: Pick<StartedJob, 'name' | 'selector'>,
  clock: Clock,
  limits = { deleteMs, goneMs },
): Promise<void> {
  const startedMs = clock.monotonic();
  for (;;) {
    try {
      await cluster.deleteJob(name);
      await cluster.deleteSecret(name);
      break;
    } catch (error) {
      if (isTemporary(error) && clock.monotonic() - startedMs < limits.deleteMs) {
        await sleep(clock, 1000);
        continue;
      }
      throw new FullhouseError(
        'not-deleted',
        `${(error as Error).message} Its pods end without a console; "fullhouse cleanup" deletes the rest.`,
      );
    }
  }
  for (;;) {
    const left = await leftOf(cluster, name, selector).catch((error: unknown) => {
      if (isTemporary(error)) return ['its pods (state unknown)'];
      throw error;
    });
    if (left.length === 0) return;
    if (clock.monotonic() - startedMs > limits.deleteMs + limits.goneMs)
      throw new FullhouseError(
        'not-deleted',
        `${cluster.who} has not deleted all of ${name}: ${left.slice(0, 5).join(', ')}. Run "fullhouse cleanup" to check again.`,
      );
    await sleep(clock, pollMs);
  }
}

async function leftOf(cluster: Cluster, name: string, selector: string): Promise<readonly string[]> {
  const [{ pods }, jobs] = await Promise.all([cluster.pods(selector), cluster.jobs(selector)]);
  const objects = [
    ...jobs.map(({ metadata }) => `Job ${metadata.name}`),
    ...pods.map(({ metadata }) => `pod ${metadata.name}`),
  ];
  // Without the right to read Secrets: deleting one that is gone is refused as absent.
  return objects.length === 0 && (await cluster.deleteSecret(name)) ? [`Secret ${name}`] : objects;
}

const renewEveryMs = 15 * 60_000;

/** Moves a Job's deadline until the returned function ends it: a console that is gone renews nothing. */
export function renewDeadline(
  cluster: Cluster,
  name: string,
  clock: Clock,
  onProblem: (sentence: string) => void,
): Cancel {
  const startedMs = clock.monotonic();
  const renew = (): void => {
    const elapsed = Math.ceil((clock.monotonic() - startedMs) / 1000);
    cluster.extendJob(name, elapsed + deadlineSeconds).catch((error: unknown) => onProblem((error as Error).message));
  };
  return every(clock, renewEveryMs, renew, 'background');
}
