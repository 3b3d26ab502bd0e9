import { describe, expect, it } from 'vitest';
import { clusterEvent, pod, type Pod } from './pod';
import { createReason, endReason, isScalingUp, podReason } from './podReason';

const early = { ageMs: 1000, isScalingUp: false };
const late = { ageMs: 60_000, isScalingUp: false };

const podWith = (status: object, metadata: object = {}): Pod =>
  pod.parse({ metadata: { name: 'load-0-x', uid: 'u', ...metadata }, status });
const unschedulable = (message: string): Pod =>
  podWith({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] });
const container = (state: object, metadata?: object): Pod =>
  podWith({ containerStatuses: [{ name: 'agent', state }] }, metadata);
const waiting = (reason: string, message?: string): Pod => container({ waiting: { reason, message } });

describe('why a pod is not ready', () => {
  it.each([
    [
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
      'unschedulable: not enough CPU (3 nodes)',
    ],
    [
      "0/5 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector.",
      'unschedulable: taint node-role.kubernetes.io/control-plane is not tolerated, not enough memory, nodeSelector matches no node (5 nodes)',
    ],
    [
      "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
      'unschedulable: hostNetwork allows one tester per node (1 node)',
    ],
    ['no nodes available to schedule pods', 'unschedulable: no nodes available to schedule pods'],
  ])('%s', (message, text) => {
    expect(podReason(unschedulable(message), early)).toEqual({ text, isFinal: false });
    expect(podReason(unschedulable(message), late)).toEqual({ text, isFinal: true });
  });

  it('waits for a node that the cluster adds', () => {
    const full = unschedulable('0/1 nodes are available: 1 Insufficient cpu.');
    const event = clusterEvent.parse({
      reason: 'TriggeredScaleUp',
      involvedObject: { kind: 'Pod', name: 'load-0-x' },
    });
    expect(isScalingUp(full, [event])).toBe(true);
    expect(podReason(full, { ...late, isScalingUp: true })).toEqual({
      text: 'waiting for a new node of the cluster',
      isFinal: false,
    });
  });

  it('an image that can not be pulled is final at once if the registry has answered', () => {
    expect(podReason(waiting('ErrImageNeverPull'), early)?.isFinal).toBe(true);
    const absent = 'rpc error: code = NotFound desc = failed to pull: docker.io/x/y:1: not found';
    expect(podReason(waiting('ErrImagePull', absent), early)).toEqual({
      text: `image can't be pulled: ${absent}`,
      isFinal: true,
    });
    expect(podReason(waiting('ImagePullBackOff', 'dial tcp: i/o timeout'), early)?.isFinal).toBe(false);
    expect(podReason(waiting('ImagePullBackOff', 'dial tcp: i/o timeout'), late)?.isFinal).toBe(true);
  });

  it('has none while a pod is starting', () => {
    expect(podReason(waiting('ContainerCreating'), late)).toBeUndefined();
    expect(podReason(podWith({ phase: 'Pending' }), late)).toBeUndefined();
  });
});

describe('why a pod has ended', () => {
  const terminated = (exitCode: number, reason?: string, metadata?: object): Pod =>
    container({ terminated: { exitCode, reason } }, metadata);
  it.each([
    [terminated(137, 'OOMKilled'), undefined, 'out of memory (OOM killed)'],
    [terminated(137, 'Error'), undefined, 'killed by SIGKILL'],
    [terminated(2, 'Error'), 'The token is too short.', 'ended with code 2: The token is too short'],
    [terminated(0, 'Completed'), undefined, 'ended'],
    [terminated(143, 'Error', { deletionTimestamp: '2026-11-25T10:00:00Z' }), undefined, 'deleted'],
    [podWith({ phase: 'Running' }), undefined, 'deleted'],
    [
      podWith({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
      undefined,
      'evicted: The node was low on resource: memory',
    ],
    [
      podWith(
        { conditions: [{ type: 'DisruptionTarget', status: 'True', message: 'Taint manager: deleting' }] },
        { deletionTimestamp: '2026-11-25T10:00:00Z' },
      ),
      undefined,
      'evicted: Taint manager: deleting',
    ],
  ])('%#', (ended, log, text) => expect(endReason(ended, log)).toBe(text));
});

describe('why the Job creates no pod', () => {
  const failed = (message: string, lastTimestamp = '2026-11-25T10:00:00Z') =>
    clusterEvent.parse({
      reason: 'FailedCreate',
      message,
      lastTimestamp,
      involvedObject: { kind: 'Job', name: 'load' },
    });
  it.each([
    [
      'Error creating: pods "load-3-x" is forbidden: exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=4, limited: requests.cpu=4',
      'quota compute exceeded: requests requests.cpu=500m, used requests.cpu=4 of requests.cpu=4',
    ],
    [
      'Error creating: pods "load-3-x" is forbidden: failed quota: compute: must specify limits.cpu for: agent',
      'quota compute requires limits.cpu in the resources',
    ],
    [
      'Error creating: pods "load-0-x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
      'Pod Security restricted:latest refuses host namespaces (hostNetwork=true)',
    ],
  ])('%s', (message, text) => expect(createReason([failed(message)])).toEqual({ text, isFinal: true }));

  it('by its latest event', () => {
    const earlier = failed('Internal error', '2026-11-25T09:00:00Z');
    const later = failed('The webhook timed out.');
    expect(createReason([later, earlier])).toEqual({
      text: "pod can't be created: The webhook timed out",
      isFinal: false,
    });
    expect(createReason([])).toBeUndefined();
  });
});
