import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../support/cluster/cluster';
import { pauseImage } from '../support/cluster/configuration';
import { leftoversOf } from '../support/cluster/leftovers';
import { until } from '../support/until';
import { root } from '../integration/support';

/** Values of this machine that a kubelet or a CNI plugin would set. */
const kernelSettings = (): string[] =>
  ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops', 'net/ipv4/ip_forward'].map(
    (name) => `${name} ${readFileSync(`/proc/sys/${name}`, 'utf8').trim()}`,
  );

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'pause', image: pauseImage, imagePullPolicy: 'Never' }] },
  });

describe('a cluster for tests', () => {
  const before = kernelSettings();
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  it('runs a pod, which this machine reaches', async () => {
    await cluster.kubectl(['apply', '-f', '-'], pod('one'));
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod/one', '--timeout=60s']);
    const address = await cluster.kubectl(['get', 'pod', 'one', '-o', 'jsonpath={.status.podIP}']);
    const route = execFileSync('ip', ['route', 'get', address], { encoding: 'utf8' });
    expect(route).toContain(`src ${cluster.hostAddress}`);
    // So that the search for leftovers below finds what it is looking for.
    const found = leftoversOf(cluster).join('\n');
    expect(found).toMatch(/^process .*unshare/m);
    expect(found).toMatch(/^process .*kube-apiserver/m);
    expect(found).toMatch(/^process \d+: \/pause .*kubepods/m);
    expect(found).toMatch(/^control group /m);
    expect(found).toMatch(/^address 10\./m);
    expect(found).toMatch(/^folder /m);
  });

  it('grants a restricted user what its RBAC objects permit', async () => {
    const asRestricted = ['--kubeconfig', cluster.restrictedKubeconfig];
    await expect(cluster.kubectl([...asRestricted, 'get', 'pods'])).rejects.toThrow('User "restricted" cannot list');
    await cluster.kubectl(['create', 'role', 'reader', '--verb=get,list', '--resource=pods']);
    await cluster.kubectl(['create', 'rolebinding', 'reader', '--role=reader', '--user=restricted']);
    const lists = (): Promise<boolean> =>
      cluster.kubectl([...asRestricted, 'get', 'pods']).then(
        (text) => text.includes('one'),
        () => false,
      );
    expect(await until(lists)).toBe(true);
    await expect(cluster.kubectl([...asRestricted, 'delete', 'pod', 'one'])).rejects.toThrow('cannot delete');
  });

  it('keeps its pods while the API server is absent', async () => {
    const started = async (): Promise<string> =>
      cluster.kubectl(['get', 'pod', 'one', '-o', 'jsonpath={.status.containerStatuses[0].containerID}']);
    const first = await started();
    await cluster.stopApiServer();
    await expect(started()).rejects.toThrow('refused');
    await cluster.startApiServer();
    expect(await started()).toBe(first);
  });

  it('leaves nothing of itself on this machine, nor a changed setting', async () => {
    expect(kernelSettings()).toEqual(before);
    await cluster.stop();
    expect(leftoversOf(cluster)).toEqual([]);
  });
});

describe('a cluster whose test is killed', () => {
  it('ends with it, and the next one removes its files', async () => {
    const script = join(root, 'tests', 'support', 'cluster', 'start.mjs');
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const killed = JSON.parse(line) as Cluster;
    expect(leftoversOf(killed)).not.toEqual([]);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    const runs = (): boolean => leftoversOf(killed).some((leftover) => !/^(folder|control group)/.test(leftover));
    expect(await until(() => !runs(), 20_000)).toBe(true);
    const next = await startCluster();
    await next.stop();
    expect(leftoversOf(killed)).toEqual([]);
  });
});
