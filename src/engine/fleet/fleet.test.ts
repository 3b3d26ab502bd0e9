import { afterEach, beforeEach, expect, it } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../clock';
import type { HostKeys } from '../links/ssh/sshLink';
import { Fleet } from './fleet';
import { FleetFile } from './fleetFile';
import { HostKeyDesk } from './hostKeyDesk';
import { SecretBox } from './secretBox';

const noKeys: HostKeys = { question: () => undefined, knownTypes: () => [], trust: () => undefined };
/** Addresses of a network that is kept for documentation: nothing answers there, and nothing is asked to. */
const made: Fleet[] = [];
const fleet = (path?: string, secrets = new SecretBox(), clock: Clock = systemClock): Fleet => {
  const all = new Fleet({
    agentFolder: '/a',
    samplesFolder: '/s',
    versions: {},
    labHttp: '127.0.0.1:0',
    clock,
    secrets,
    hostKeys: new HostKeyDesk(noKeys),
    file: new FleetFile(path, (sentence) => problems.push(sentence)),
  });
  made.push(all);
  return all;
};
const problems: string[] = [];
const srs = { server: 'srs', url: 'http://192.0.2.1:1985' } as const;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-fleet-'))));
afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.shutdown(true)));
  rmSync(folder, { recursive: true, force: true });
  problems.length = 0;
});

it('always has the lab and this machine, in this order', () => {
  expect(fleet().nodes.map((node) => node.view())).toMatchObject([
    { id: 'lab', role: 'origin', server: 'lab', colourSlot: 1, state: 'idle' },
    { id: 'local', role: 'tester', colourSlot: 2, state: 'idle' },
  ]);
});

it('gives a plan’s names the nodes of their kind', () => {
  const all = fleet();
  const bound = all.bind({ origin: { server: 'lab' }, audience: { tester: 'local' } });
  expect([...bound].map(([name, node]) => [name, node.id])).toEqual([
    ['origin', 'lab'],
    ['audience', 'local'],
  ]);
  expect(all.nodes).toHaveLength(2);
});

it('keeps a node for the name that it has, whatever the order', () => {
  const bound = fleet().bind({
    first: { tester: 'local' },
    local: { tester: 'local' },
    lab: { server: 'lab' },
  });
  expect(bound.get('local')?.id).toBe('local');
  expect(bound.get('first')?.id).toBe('first');
});

it('makes another tester when a plan has more of them', () => {
  const all = fleet();
  const bound = all.bind({ one: { tester: 'local' }, two: { tester: 'local' } });
  expect(bound.get('two')?.view()).toMatchObject({
    id: 'two',
    role: 'tester',
    colourSlot: 3,
    host: 'this-machine',
  });
  expect(all.bind({ two: { tester: 'local' } }, bound).get('two')).toBe(bound.get('two'));
});

it('refuses a name that is taken by the other kind', () => {
  expect(() => fleet().bind({ lab: { tester: 'local' } })).toThrow(/^"lab" is an origin already/);
});

it('says of an unknown node that there is none', () => {
  expect(() => fleet().node('moon')).toThrow('There is no node "moon".');
});

it('keeps what a person added, and nothing of its secrets', () => {
  const path = join(folder, 'fleet.yaml');
  fleet(path).add('srs-1', srs, { httpPassword: 'open sesame' });
  expect(readFileSync(path, 'utf8')).toBe('nodes:\n  srs-1: { server: srs, url: "http://192.0.2.1:1985" }\n');
  expect(fleet(path).node('srs-1').view()).toMatchObject({ role: 'origin', server: 'srs', colourSlot: 3 });
});

it('does not keep the nodes that a plan brings', () => {
  const path = join(folder, 'fleet.yaml');
  const all = fleet(path);
  expect(all.bind({ origin: srs }).get('origin')?.settings).toEqual(srs);
  expect(all.settings()).toEqual({});
});

it('takes a node of the fleet for a plan that describes the same', () => {
  const all = fleet();
  all.add('srs-1', srs, {});
  expect(all.bind({ origin: { url: srs.url, server: 'srs' } }).get('origin')?.id).toBe('srs-1');
  expect(() => all.bind({ 'srs-1': { ...srs, ssh: 'qa@192.0.2.1' } })).toThrow(/with other settings already/);
});

it('puts an edited node in the place and colour of the one before', async () => {
  const all = fleet();
  all.add('a', srs, {});
  all.add('b', { server: 'srs', url: 'http://192.0.2.2:1985' }, {});
  await all.edit('a', 'c', { ...srs, user: 'qa' }, {});
  expect(all.nodes.map((node) => [node.id, node.view().colourSlot])).toEqual([
    ['lab', 1],
    ['local', 2],
    ['c', 3],
    ['b', 4],
  ]);
  expect(Object.keys(all.settings())).toEqual(['c', 'b']);
});

it('refuses a name that is taken, and to change what belongs to this machine', async () => {
  const all = fleet();
  all.add('a', srs, {});
  expect(() => all.add('a', srs, {})).toThrow('There is a node "a" already');
  await expect(all.remove('lab')).rejects.toThrow('belongs to this machine');
});

it('puts a file aside that can not be read, and says so', () => {
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, 'nodes: [');
  const all = fleet(path);
  expect(problems).toEqual([expect.stringContaining("can't be read")]);
  all.add('a', srs, {});
  expect(readFileSync(`${path}.unreadable`, 'utf8')).toBe('nodes: [');
});

it('refuses settings that no node can be made of, and leaves what is there as it is', async () => {
  const path = join(folder, 'fleet.yaml');
  const all = fleet(path);
  all.add('a', srs, {});
  expect(() => all.add('b', { server: 'srs' }, { httpPassword: 'x' })).toThrow(/^b: Say where it answers/);
  expect(() => all.add('b', { server: 'srs', url: 'srs.example' }, {})).toThrow(
    'b: "srs.example" is no whole address; write it with its scheme, as in http://HOST:PORT.',
  );
  expect(() => all.add('b', { tester: 'ssh' }, {})).toThrow(/Say how it is reached/);
  await expect(all.edit('a', 'c', { server: 'srs', url: 'http://' }, {})).rejects.toThrow(/no whole address/);
  expect(all.node('a').settings).toEqual(srs);
  expect(all.settings()).toEqual({ a: srs });
  expect(fleet(path).node('a').settings).toEqual(srs);
});

it('starts without a kept node that can not be made, says so, and keeps it for somebody to mend', () => {
  const path = join(folder, 'fleet.yaml');
  writeFileSync(
    path,
    'nodes:\n  bad: { server: srs, url: srs }\n  good: { server: srs, url: "http://192.0.2.1" }\n',
  );
  const all = fleet(path);
  expect(all.nodes.map(({ id }) => id)).toEqual(['lab', 'local', 'good']);
  expect(problems).toEqual([
    expect.stringMatching(/^The kept node bad is left out\. bad: "srs" is no whole/),
  ]);
  all.add('a', srs, {});
  expect(readFileSync(path, 'utf8')).toMatch(/bad: \{ server: srs, url: srs \}/);
});

it('keeps references in its file and its views, and is reached with what they stand for once that is known', async () => {
  const path = join(folder, 'fleet.yaml');
  const settings = { server: 'srs', url: 'http://192.0.2.1:1985/?token=$secret:TOKEN' } as const;
  const secrets = new SecretBox();
  fleet(path).add('edge', settings, {});
  const all = fleet(path, secrets);
  expect(readFileSync(path, 'utf8')).toContain('$secret:TOKEN');
  expect(all.node('edge').view()).toMatchObject({
    settings,
    problem: expect.stringMatching(/^\$secret:TOKEN is not known/) as string,
    remedy: 'enter-secret',
  });
  secrets.restore({}, { TOKEN: 'open-sesame' });
  await all.resolveAgain();
  expect(all.node('edge').settings).toEqual({
    server: 'srs',
    url: 'http://192.0.2.1:1985/?token=open-sesame',
  });
  expect(all.node('edge').view().settings).toEqual(settings);
  expect(all.node('edge').view().problem ?? '').not.toContain('TOKEN');
  expect(all.bind({ edge: settings }).get('edge')).toBe(all.node('edge'));
  expect(secrets.mask.text('token open-sesame')).toBe('token •••');
});

it('refuses settings whose secret was masked', () => {
  expect(() => fleet().add('edge', { server: 'srs', url: 'http://192.0.2.1:1985/?token=•••' }, {})).toThrow(
    'edge: "url" holds ••• in place of a secret.',
  );
});

it('brings a removed node back with its settings, secrets, colour and place', async () => {
  const path = join(folder, 'fleet.yaml');
  const secrets = new SecretBox();
  const told: unknown[] = [];
  secrets.keep.on((each) => told.push(each));
  const all = fleet(path, secrets);
  all.add('a', srs, { httpPassword: 'open sesame' });
  all.add('b', { server: 'srs', url: 'http://192.0.2.2:1985' }, {});
  const written = readFileSync(path, 'utf8');
  told.length = 0;
  await all.remove('a');
  expect(Object.keys(all.settings())).toEqual(['b']);
  expect(told).toEqual([{ node: 'a', secrets: {} }]);
  all.restore('a');
  expect(all.nodes.map((node) => [node.id, node.view().colourSlot])).toEqual([
    ['lab', 1],
    ['local', 2],
    ['a', 3],
    ['b', 4],
  ]);
  expect(all.node('a').view().secrets).toEqual(['httpPassword']);
  expect(told.at(-1)).toEqual({ node: 'a', secrets: { httpPassword: 'open sesame' } });
  expect(readFileSync(path, 'utf8')).toBe(written);
});

it('undoes a removal only for a while, only once, and only while its name is free', async () => {
  let nowMs = 1000;
  const all = fleet(undefined, new SecretBox(), { ...systemClock, now: () => nowMs });
  expect(() => all.restore('a')).toThrow("can't be undone any more");
  all.add('a', srs, { httpPassword: 'x' });
  await all.remove('a');
  all.add('a', srs, {});
  expect(() => all.restore('a')).toThrow('There is a node "a" already');
  await all.remove('a');
  nowMs += 61_000;
  expect(() => all.restore('a')).toThrow("can't be undone any more");
});
