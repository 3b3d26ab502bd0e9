import { describe, expect, it } from 'vitest';
import type { NodeCapabilities } from '../../../domain/model/node';
import type { ProbeView } from '../../../domain/model/probe';
import {
  addressFields,
  additionOf,
  needsNewProbe,
  emptyAddForm,
  offerOf,
  probeInput,
  roleOf,
  type AddForm,
} from './addForm';
import { genericOrigin } from './genericAddress';

const can: NodeCapabilities = { publish: [], pull: [], play: [], serves: [], measure: [], terminate: false };
const srs = {
  software: 'SRS 7.0.18',
  detail: 'API on 1985',
  settings: { server: 'srs', url: 'http://10.20.0.7:1985', ssh: 'qa@10.20.0.7' },
} as const;
const nginx = {
  software: 'nginx-rtmp',
  detail: 'stat page on 8080',
  settings: { server: 'nginx-rtmp', url: 'http://10.20.0.7:8080/stat' },
} as const;

function probe(of: Partial<ProbeView>): ProbeView {
  return {
    probe: 'p',
    address: 'qa@10.20.0.7',
    startedMs: 0,
    isDone: false,
    rows: [],
    can,
    origins: [],
    suggestedName: 'srs-7',
    suggestedRole: 'origin',
    needs: [],
    ...of,
  };
}
const tester = { tester: 'ssh', ssh: 'qa@10.20.0.7' } as const;
const form = (of: Partial<AddForm> = {}): AddForm => ({ ...emptyAddForm, address: 'qa@10.20.0.7', ...of });

describe('adding a node', () => {
  it('offers nothing until something was found', () => {
    expect(additionOf(form(), undefined, []).nodes).toEqual([]);
    expect(offerOf(form(), probe({})).roles).toEqual([]);
  });

  it('adds findings as soon as they arrive, under the suggested name', () => {
    expect(additionOf(form(), probe({ origins: [srs] }), [])).toEqual({
      name: 'srs-7',
      role: 'origin',
      nodes: [{ name: 'srs-7', settings: srs.settings, secrets: {} }],
    });
  });

  it('adds two nodes for both roles', () => {
    const found = probe({ origins: [srs], tester });
    expect(offerOf(form(), found).roles).toEqual(['origin', 'tester', 'both']);
    const { nodes } = additionOf(form({ role: 'both', name: 'box' }), found, []);
    expect(nodes.map(({ name, settings }) => [name, settings])).toEqual([
      ['box', srs.settings],
      ['box-tester', tester],
    ]);
  });

  it('keeps a chosen role only if available', () => {
    const onlyTester = probe({ tester, suggestedRole: 'tester' });
    expect(roleOf(form({ role: 'both' }), onlyTester, offerOf(form(), onlyTester))).toBe('tester');
    const both = probe({ origins: [srs], tester, suggestedRole: 'both' });
    expect(roleOf(form({ role: 'tester' }), both, offerOf(form(), both))).toBe('tester');
    expect(roleOf(form(), both, offerOf(form(), both))).toBe('both');
  });

  it('uses the chosen server of several', () => {
    const { nodes } = additionOf(form({ server: 1 }), probe({ origins: [srs, nginx] }), []);
    expect(nodes[0]?.settings).toEqual(nginx.settings);
  });

  it('refuses names that are in use or invalid', () => {
    const found = probe({ origins: [srs], tester });
    expect(additionOf(form(), found, ['srs-7'])).toMatchObject({
      nodes: [],
      problem: 'A node "srs-7" already exists.',
    });
    expect(additionOf(form({ name: 'two words' }), found, []).problem).toContain('letters and digits');
    expect(additionOf(form({ role: 'both' }), found, ['srs-7-tester']).problem).toContain('srs-7-tester');
  });

  it('puts typed fields into the settings, and secrets beside them', () => {
    const typed = form({
      role: 'both',
      keyFile: ' ~/.ssh/qa ',
      gcLog: '/var/log/gc.log',
      selfSigned: true,
      user: 'admin',
      secrets: { sshPassphrase: 'a', httpPassword: 'b', apiSecret: '' },
    });
    const [origin, second] = additionOf(typed, probe({ origins: [srs], tester }), []).nodes;
    expect(origin).toEqual({
      name: 'srs-7',
      settings: {
        ...srs.settings,
        user: 'admin',
        keyFile: '~/.ssh/qa',
        gcLog: '/var/log/gc.log',
        selfSigned: true,
      },
      secrets: { sshPassphrase: 'a', httpPassword: 'b' },
    });
    expect(second?.settings).toEqual({
      ...tester,
      keyFile: '~/.ssh/qa',
      gcLog: '/var/log/gc.log',
      selfSigned: true,
    });
    expect(second?.secrets).toEqual({ sshPassphrase: 'a' });
  });

  it('adds a bare URL as a plain address, and nothing that is not a URL', () => {
    const nothing = probe({ address: 'http://10.0.0.9:8080/whep/cam', isDone: true });
    expect(offerOf(form(), nothing).isGuess).toBe(true);
    expect(additionOf(form(), nothing, []).nodes[0]?.settings).toEqual({
      server: 'generic',
      whep: 'http://10.0.0.9:8080/whep/{stream}',
    });
    expect(additionOf(form(), probe({ address: '10.0.0.9', isDone: true }), []).nodes).toEqual([]);
  });

  it('offers nothing for a host that does not exist, whatever its address looks like', () => {
    const unknown = probe({ address: 'rtmp://no-such-host/live/cam', isDone: true, isUnknownHost: true });
    expect(offerOf(form(), unknown)).toEqual({ isGuess: false, roles: [] });
    expect(additionOf(form({ addresses: { whep: 'http://a/whep/{stream}' } }), unknown, []).nodes).toEqual([]);
  });

  it('has a field for each address of the server; what is typed there replaces what was found', () => {
    expect(addressFields(nginx.settings)).toEqual(['url', 'control', 'rtmp', 'hls', 'flv']);
    expect(addressFields({ server: 'generic' })).toContain('metrics');
    const typed = form({ addresses: { rtmp: ' rtmp://10.20.0.8/live/{stream} ', url: '' } });
    expect(additionOf(typed, probe({ origins: [nginx] }), []).nodes[0]?.settings).toEqual({
      server: 'nginx-rtmp',
      rtmp: 'rtmp://10.20.0.8/live/{stream}',
    });
  });

  it('adds a server that nothing was recognised of by the addresses that were typed', () => {
    const nothing = probe({ address: '10.0.0.9', isDone: true });
    const typed = form({ addresses: { whep: 'http://10.0.0.9:81/{stream}/whep' } });
    expect(additionOf(typed, nothing, []).nodes[0]?.settings).toEqual({
      server: 'generic',
      whep: 'http://10.0.0.9:81/{stream}/whep',
    });
    expect(additionOf(form({ addresses: { whep: ' ' } }), nothing, []).nodes).toEqual([]);
  });

  it('has a sentence at each wrong address, and adds nothing then', () => {
    const typed = form({ addresses: { rtmp: 'http://10.20.0.8/live', control: 'x' }, nodeExporter: 'http://h:99999' });
    const { nodes, faults } = additionOf(typed, probe({ origins: [nginx] }), []);
    expect(nodes).toEqual([]);
    expect([...(faults ?? [])]).toEqual([
      ['control', expect.stringContaining('is not an address')],
      ['nodeExporter', expect.stringContaining('port')],
      ['rtmp', expect.stringContaining('has to be rtmp://')],
    ]);
    const cleared = form({ addresses: { whep: '' } });
    const guessed = probe({ address: 'http://10.0.0.9:8080/whep/cam', isDone: true });
    expect(additionOf(cleared, guessed, []).nodes).toEqual([]);
  });

  it('adds no address that the server has no field for', () => {
    const typed = form({ addresses: { control: 'http://10.20.0.7/control', rtmp: 'rtmp://10.20.0.7/live/{stream}' } });
    expect(additionOf(typed, probe({ origins: [srs] }), []).nodes[0]?.settings).toEqual({
      ...srs.settings,
      rtmp: 'rtmp://10.20.0.7/live/{stream}',
    });
  });

  it('sends only filled fields to the engine', () => {
    expect(probeInput('p', form({ jump: 'gate', secrets: { sshPassword: '' } }))).toEqual({
      probe: 'p',
      address: 'qa@10.20.0.7',
      jump: 'gate',
      secrets: {},
    });
  });

  it('probes again when the route to the node changes, not its name', () => {
    expect(needsNewProbe({ jump: 'gate' })).toBe(true);
    expect(needsNewProbe({ secrets: {} })).toBe(true);
    expect(needsNewProbe({ name: 'x' })).toBe(false);
    expect(needsNewProbe({ gcLog: '/x' })).toBe(false);
  });
});

describe('a bare address', () => {
  it.each([
    ['https://a.example/whep/cam', { whep: 'https://a.example/whep/{stream}' }],
    [
      'http://a.example/rtc/v1/whep/?app=live&stream=cam',
      { whep: 'http://a.example/rtc/v1/whep/?app=live&stream={stream}' },
    ],
    ['http://a.example/whip/cam', { whip: 'http://a.example/whip/{stream}' }],
    ['rtmp://a.example/live/cam', { rtmp: 'rtmp://a.example/live/{stream}' }],
    ['rtsp://a.example/live/cam', { rtsp: 'rtsp://a.example/live/{stream}' }],
    ['srt://a.example:9000?streamid=cam', { srt: 'srt://a.example:9000?streamid=cam' }],
    ['http://a.example/live/cam.flv', { flv: 'http://a.example/live/{stream}.flv' }],
    ['http://a.example/hls/cam.m3u8?key=1', { hls: 'http://a.example/hls/{stream}.m3u8?key=1' }],
    ['http://a.example/hls/cam/index.m3u8', { hls: 'http://a.example/hls/{stream}/index.m3u8' }],
    ['http://a.example/x/{stream}/whep', { whep: 'http://a.example/x/{stream}/whep' }],
    ['http://a.example:9000/', { url: 'http://a.example:9000/' }],
  ])('%s', (address, settings) => {
    expect(genericOrigin(address)).toEqual({ server: 'generic', ...settings });
  });

  it('must be a URL', () => {
    expect(['a.example', 'qa@a.example', 'ftp://a.example/x', ''].map(genericOrigin)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
