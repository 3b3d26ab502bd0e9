import { afterEach, beforeEach, expect, it } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../base/clock';
import type { HostKeys } from '../links/ssh/sshLink';
import { Fleet } from './fleet';
import { FleetFile } from './fleetFile';
import { HostKeyStore } from './hostKeyStore';
import { SecretBox } from '../secrets/secretBox';

const noKeys: HostKeys = { question: () => undefined, knownTypes: () => [], trust: () => undefined };
/** Addresses of a documentation network: nothing responds there, and nothing is sent to them. */
const made: Fleet[] = [];
const fleet = (path?: string, secrets = new SecretBox(), clock: Clock = systemClock): Fleet => {
  const all = new Fleet({
    agentFolder: '/a',
    samplesFolder: '/s',
    versions: {},
    labHttp: '127.0.0.1:0',
    clock,
    secrets,
    hostKeys: new HostKeyStore(noKeys),
    file: fileAt(path),
  });
  made.push(all);
  return all;
};
const problems: string[] = [];
const files: FleetFile[] = [];
function fileAt(path: string | undefined): FleetFile {
  const file = new FleetFile(path, (sentence) => problems.push(sentence));
  files.push(file);
  return file;
}
/** Files are written in the background. */
const saved = (): Promise<unknown> => Promise.all(files.map((file) => file.whenSaved()));
const srs = { server: 'srs', url: 'http://127.0.2.1:1985' } as const;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-fleet-'))));
afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.shutdown(true)));
  await saved();
  files.length = 0;
  rmSync(folder, { recursive: true, force: true });
  problems.length = 0;
});

it('always contains the lab and this machine, in this order', () => {
  expect(fleet().nodes.map((node) => node.view())).toMatchObject([
    { id: 'lab', role: 'origin', server: 'lab', colourSlot: 1, state: 'idle' },
    { id: 'local', role: 'tester', colourSlot: 2, state: 'idle' },
  ]);
});

it('binds a plan’s names to nodes of the same kind', () => {
  const all = fleet();
  const bound = all.bind({ origin: { server: 'lab' }, audience: { tester: 'local' } });
  expect([...bound].map(([name, node]) => [name, node.id])).toEqual([
    ['origin', 'lab'],
    ['audience', 'local'],
  ]);
  expect(all.nodes).toHaveLength(2);
});

it('keeps the node of the same name, regardless of order', () => {
  const bound = fleet().bind({
    first: { tester: 'local' },
    local: { tester: 'local' },
    lab: { server: 'lab' },
  });
  expect(bound.get('local')?.id).toBe('local');
  expect(bound.get('first')?.id).toBe('first');
});

it('creates another tester when a plan has more of them', () => {
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

it('refuses a name that a node of the other role has', () => {
  expect(() => fleet().bind({ lab: { tester: 'local' } })).toThrow(/^"lab" is an origin already/);
});

it('reports an unknown node', () => {
  expect(() => fleet().node('moon')).toThrow('Unknown node "moon".');
});

it('saves nodes that the user added, without their secrets', async () => {
  const path = join(folder, 'fleet.yaml');
  fleet(path).add('srs-1', srs, { httpPassword: 'open sesame' });
  await saved();
  expect(readFileSync(path, 'utf8')).toBe('nodes:\n  srs-1: { server: srs, url: "http://127.0.2.1:1985" }\n');
  await saved();
  expect(fleet(path).node('srs-1').view()).toMatchObject({ role: 'origin', server: 'srs', colourSlot: 3 });
});

it('does not save the nodes of a plan', () => {
  const path = join(folder, 'fleet.yaml');
  const all = fleet(path);
  expect(all.bind({ origin: srs }).get('origin')?.settings).toEqual(srs);
  expect(all.settings()).toEqual({});
});

it('binds a plan to the fleet’s node with the same settings', () => {
  const all = fleet();
  all.add('srs-1', srs, {});
  expect(all.bind({ origin: { url: srs.url, server: 'srs' } }).get('origin')?.id).toBe('srs-1');
  expect(() => all.bind({ 'srs-1': { ...srs, ssh: 'qa@127.0.2.1' } })).toThrow(/exists already with other settings/);
});

it('binds no name of an active run to other settings', () => {
  const all = fleet();
  const bound = all.bind({ origin: srs });
  expect(all.bind({ origin: { ...srs } }, bound).get('origin')).toBe(bound.get('origin'));
  expect(() => all.bind({ origin: { ...srs, url: 'http://127.0.2.9:1985' } }, bound)).toThrow(
    /^The active run has a node "origin" with other settings/,
  );
});

it('keeps position and colour of an edited node', async () => {
  const all = fleet();
  all.add('a', srs, {});
  all.add('b', { server: 'srs', url: 'http://127.0.2.2:1985' }, {});
  await all.edit('a', 'c', { ...srs, user: 'qa' }, {});
  expect(all.nodes.map((node) => [node.id, node.view().colourSlot])).toEqual([
    ['lab', 1],
    ['local', 2],
    ['c', 3],
    ['b', 4],
  ]);
  expect(Object.keys(all.settings())).toEqual(['c', 'b']);
});

it('refuses a name in use, and changes to the nodes of this machine', async () => {
  const all = fleet();
  all.add('a', srs, {});
  expect(() => all.add('a', srs, {})).toThrow('A node "a" exists already');
  await expect(all.remove('lab')).rejects.toThrow('belongs to this machine');
});

it('moves an unreadable file aside and reports it', async () => {
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, 'nodes: [');
  const all = fleet(path);
  expect(problems).toEqual([expect.stringContaining("can't be read")]);
  all.add('a', srs, {});
  await saved();
  expect(readFileSync(`${path}.unreadable`, 'utf8')).toBe('nodes: [');
});

it('refuses unusable settings and leaves the fleet unchanged', async () => {
  const path = join(folder, 'fleet.yaml');
  const all = fleet(path);
  all.add('a', srs, {});
  expect(() => all.add('b', { server: 'srs' }, { httpPassword: 'x' })).toThrow(/^b: Add its address/);
  expect(() => all.add('b', { server: 'srs', url: 'srs-box' }, {})).toThrow(
    'b: "srs-box" is not a complete address; include the scheme, as in http://HOST:PORT.',
  );
  expect(() => all.add('b', { tester: 'ssh' }, {})).toThrow(/Add its SSH address/);
  await expect(all.edit('a', 'c', { server: 'srs', url: 'http://' }, {})).rejects.toThrow(/names no host/);
  await expect(all.edit('a', 'c', { server: 'generic', whep: 'http://300.1.1.1:80/{stream}' }, {})).rejects.toThrow(
    'c: The host of "http://300.1.1.1:80/{stream}" can\'t exist: "300.1.1.1" is neither an IP address nor a name. Correct it.',
  );
  expect(all.node('a').settings).toEqual(srs);
  expect(all.settings()).toEqual({ a: srs });
  await saved();
  expect(fleet(path).node('a').settings).toEqual(srs);
});

it('starts without a saved node with invalid settings, reports it, and leaves it in the file to be fixed', async () => {
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, 'nodes:\n  bad: { server: srs, url: srs }\n  good: { server: srs, url: "http://127.0.2.1" }\n');
  const all = fleet(path);
  expect(all.nodes.map(({ id }) => id)).toEqual(['lab', 'local', 'good']);
  expect(problems).toEqual([expect.stringMatching(/^The saved node bad is ignored\. bad: "srs" is not a complete/)]);
  all.add('a', srs, {});
  await saved();
  expect(readFileSync(path, 'utf8')).toMatch(/bad: \{ server: srs, url: srs \}/);
});

it('keeps references in its file and views, and connects with their values once known', async () => {
  const path = join(folder, 'fleet.yaml');
  const settings = { server: 'srs', url: 'http://127.0.2.1:1985/?token=$secret:TOKEN' } as const;
  const secrets = new SecretBox();
  fleet(path).add('edge', settings, {});
  await saved();
  const all = fleet(path, secrets);
  await saved();
  expect(readFileSync(path, 'utf8')).toContain('$secret:TOKEN');
  expect(all.node('edge').view()).toMatchObject({
    settings,
    problem: expect.stringMatching(/^\$secret:TOKEN is not known/) as string,
    fix: 'enter-secret',
  });
  secrets.restore({}, { TOKEN: 'open-sesame' });
  await all.resolveAgain();
  expect(all.node('edge').settings).toEqual({
    server: 'srs',
    url: 'http://127.0.2.1:1985/?token=open-sesame',
  });
  expect(all.node('edge').view().settings).toEqual(settings);
  expect(all.node('edge').view().problem ?? '').not.toContain('TOKEN');
  expect(all.bind({ edge: settings }).get('edge')).toBe(all.node('edge'));
  expect(secrets.mask.text('token open-sesame')).toBe('token •••');
});

it('refuses settings with a masked secret', () => {
  expect(() => fleet().add('edge', { server: 'srs', url: 'http://127.0.2.1:1985/?token=•••' }, {})).toThrow(
    'edge: "url" contains ••• in place of a secret.',
  );
});

it('restores a removed node with its settings, secrets, colour and position', async () => {
  const path = join(folder, 'fleet.yaml');
  const secrets = new SecretBox();
  const stored: unknown[] = [];
  secrets.keep.on((each) => stored.push(each));
  const all = fleet(path, secrets);
  all.add('a', srs, { httpPassword: 'open sesame' });
  all.add('b', { server: 'srs', url: 'http://127.0.2.2:1985' }, {});
  await saved();
  const written = readFileSync(path, 'utf8');
  stored.length = 0;
  await all.remove('a');
  expect(Object.keys(all.settings())).toEqual(['b']);
  expect(stored).toEqual([{ node: 'a', secrets: {} }]);
  all.restore('a');
  expect(all.nodes.map((node) => [node.id, node.view().colourSlot])).toEqual([
    ['lab', 1],
    ['local', 2],
    ['a', 3],
    ['b', 4],
  ]);
  expect(all.node('a').view().secrets).toEqual(['httpPassword']);
  expect(stored.at(-1)).toEqual({ node: 'a', secrets: { httpPassword: 'open sesame' } });
  await saved();
  expect(readFileSync(path, 'utf8')).toBe(written);
});

it('undoes a removal for a limited time, once, and while its name is free', async () => {
  let nowMs = 1000;
  const all = fleet(undefined, new SecretBox(), { ...systemClock, now: () => nowMs });
  expect(() => all.restore('a')).toThrow('can no longer be undone');
  all.add('a', srs, { httpPassword: 'x' });
  await all.remove('a');
  all.add('a', srs, {});
  expect(() => all.restore('a')).toThrow('A node "a" exists already');
  await all.remove('a');
  nowMs += 61_000;
  expect(() => all.restore('a')).toThrow('can no longer be undone');
});

it('refuses addresses of documentation, all in one sentence and before a node is opened', () => {
  const all = fleet();
  const before = all.nodes.length;
  expect(() => all.add('tester-1', { tester: 'ssh', ssh: 'qa@192.0.2.11' }, {})).toThrow(
    'Replace the address of tester-1 (qa@192.0.2.11): it is an example of documentation, so nothing is contacted.',
  );
  expect(() =>
    all.bind({
      real: { server: 'srs', url: 'http://127.0.2.9:1985' },
      origin: { server: 'srs', url: 'http://srs.example:1985' },
      audience: { tester: 'ssh', hosts: ['10.0.0.1', '198.51.100.2'] },
    }),
  ).toThrow(/^Replace the addresses of origin \(http:\/\/srs\.example:1985\) and audience \(198\.51\.100\.2\): /);
  expect(all.nodes).toHaveLength(before);
});

it('refuses one that a reference leads to', () => {
  const secrets = new SecretBox({ FULLHOUSE_SECRET_HOST: 'srs.example' });
  expect(() => fleet(undefined, secrets).add('x', { server: 'srs', url: 'http://$secret:HOST:1985' }, {})).toThrow(
    /^Replace the address of x /,
  );
});
