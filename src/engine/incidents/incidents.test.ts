import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until';
import { VirtualEngine, virtualPlan } from '../../../tests/support/virtualEngine';
import { privateTempFolder } from '../base/tempFolder';
import { IncidentFile } from './incidentFile';
import type { Incident } from '../../domain/incidents/incident';
import type { IncidentNews } from '../../contract/incidentCalls';

let engine: VirtualEngine;
let news: IncidentNews['changes'];
let data: ReturnType<typeof privateTempFolder>;
let problems: string[];

function start(): void {
  news = [];
  engine = new VirtualEngine({
    fleetFile: join(data.path, 'fleet.yaml'),
    log: (sentence) => problems.push(sentence),
  });
  engine.client.on('incidents', ({ changes }) => news.push(...changes));
}
beforeEach(() => {
  data = privateTempFolder();
  problems = [];
  start();
});
afterEach(async () => {
  await engine.close();
  data.remove();
});

/** Closes the engine once a file has this text: the disk has no virtual time. */
async function closeWith(name: string, text: string): Promise<void> {
  await engine.time.pass(2000);
  const path = join(data.path, name);
  expect(await until(() => existsSync(path) && readFileSync(path, 'utf8').includes(text))).toBe(true);
  await engine.close();
}

const listed = async (): Promise<readonly Incident[]> => (await engine.client.call('incidents.list', {})).incidents;

async function killLab(): Promise<void> {
  await engine.during(engine.client.call('lab.start', {}));
  await engine.time.pass(5000);
  void engine.agents.lab.end('SIGKILL');
  await engine.time.pass(10_000);
}

describe('incidents without a run', () => {
  it('are reported, with a notification, when they begin and end', async () => {
    await killLab();
    const [lost] = await listed();
    expect(lost).toMatchObject({ kind: 'node-lost', node: 'lab', severity: 'critical' });
    expect(lost?.began).toMatch(/^lab stopped responding: .*SIGKILL/);
    expect(news).toMatchObject([{ change: 'opened', notifies: true }]);
    await engine.during(engine.client.call('lab.start', {}));
    await engine.time.pass(3000);
    expect(await listed()).toMatchObject([{ ended: expect.stringMatching(/^lab did not respond for \d+/) as string }]);
    expect(news.at(-1)).toMatchObject({ change: 'resolved', notifies: true });
  });

  it('are still there after a restart, with the time in which nothing was watched', async () => {
    await killLab();
    await closeWith('incidents.json', 'node-lost');
    start();
    await engine.time.pass(2000);
    const [lost, ...more] = await listed();
    expect(more).toEqual([]);
    expect(lost).toMatchObject({ kind: 'node-lost', firing: [] });
    // The lab of the new console has not been started: nothing lasts.
    expect(lost?.ended).toBe('lab was stopped.');
  });

  it('have no secret in their file', async () => {
    const told: string[] = [];
    const file = new IncidentFile(
      join(data.path, 'other.json'),
      (sentence) => told.push(sentence),
      (each) => ({
        ...each,
        began: each.began.replace('hunter2', '***'),
      }),
    );
    await killLab();
    const [lost] = await listed();
    if (!lost) throw new Error('No incident.');
    file.write(1, [{ ...lost, began: 'lab: hunter2 was refused.' }]);
    await file.whenSaved();
    const text = readFileSync(join(data.path, 'other.json'), 'utf8');
    expect(text).toContain('lab: *** was refused.');
    expect(text).not.toContain('hunter2');
    expect(told).toEqual([]);
  });

  it('that are acknowledged or muted notify no more', async () => {
    await killLab();
    const [lost] = await listed();
    const { id = '' } = lost ?? {};
    await engine.client.call('incidents.mute', { id, untilMs: engine.time.clock.now() + 3_600_000 });
    expect(await engine.client.call('incidents.acknowledge', { id })).toMatchObject({
      acknowledgedMs: expect.any(Number) as number,
    });
    await engine.during(engine.client.call('lab.start', {}));
    await engine.time.pass(3000);
    expect(news.at(-1)).toMatchObject({ change: 'resolved', notifies: false });
    await expect(engine.client.call('incidents.mute', { id: 'other' })).rejects.toThrow(/no longer in the list/);
  });

  it('follow the rules of the file, and those that a person sets', async () => {
    const { rules } = await engine.client.call('incidents.rules', {});
    const off = rules.map((rule) => ({ ...rule, isOff: true as const }));
    await engine.client.call('incidents.setRules', { rules: off });
    await killLab();
    expect(await listed()).toEqual([]);
    await closeWith('alert-rules.yaml', 'name: node-lost');
    start();
    expect((await engine.client.call('incidents.rules', {})).rules).toEqual(off);
  });

  it('follow the rules that the engine is given, and not those of the file', async () => {
    await engine.close();
    writeFileSync(join(data.path, 'alert-rules.yaml'), '[]');
    const rules = [{ name: 'gone', kind: 'publisher-gone', forMs: 0, severity: 'info' }] as const;
    engine = new VirtualEngine({ fleetFile: join(data.path, 'fleet.yaml'), alertRules: rules });
    expect((await engine.client.call('incidents.rules', {})).rules).toEqual(rules);
  });

  it('are faults that the control player finds, until the stream is seen well', async () => {
    await engine.during(engine.client.call('lab.start', {}));
    await engine.time.pass(3000);
    const played = (finding: 'frozen' | 'fine') =>
      engine.client.call('incidents.played', { node: 'lab', stream: 'cam', finding });
    await played('frozen');
    await played('frozen');
    expect(await listed()).toMatchObject([{ kind: 'picture-fault', firing: [expect.any(String) as string], count: 1 }]);
    await played('fine');
    expect(news.map(({ change }) => change)).toEqual(['opened', 'resolved']);
  });

  it('have the default rules when the file is damaged, which is moved aside', async () => {
    await engine.close();
    writeFileSync(join(data.path, 'alert-rules.yaml'), '- name: a\n  kind: nothing\n');
    writeFileSync(join(data.path, 'incidents.json'), '{');
    start();
    expect((await engine.client.call('incidents.rules', {})).rules.length).toBeGreaterThan(5);
    expect(problems.join('\n')).toMatch(/alert rules in .* can't be used[\s\S]*incidents in .* can't be read/);
    await killLab();
    await closeWith('incidents.json', 'node-lost');
    expect(readFileSync(join(data.path, 'incidents.json.unreadable'), 'utf8')).toBe('{');
    start();
    expect(await listed()).toHaveLength(1);
  });

  it('say when the clock of this machine was set, and not when it slept', async () => {
    await engine.time.pass(3000);
    engine.time.setClock(3_600_000);
    await engine.time.pass(3000);
    expect(await listed()).toMatchObject([{ kind: 'clock-stepped', node: 'local' }]);
    await engine.time.suspend(60_000);
    await engine.time.pass(3000);
    expect(await listed()).toHaveLength(1);
  });
});

it('a run and its own streams are no incidents', async () => {
  await engine.start(virtualPlan({ holdMs: 20_000 }));
  await engine.ended();
  await engine.time.pass(120_000);
  expect((await listed()).map(({ began }) => began)).toEqual([]);
});
