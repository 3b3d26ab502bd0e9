import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import type { NodeSettings } from '../../../domain/model/nodeSettings';
import {
  editedSettings,
  editFields,
  editFormOf,
  editProblem,
  namedSecrets,
  queriesProblem,
  secretFields,
  supportsQueries,
} from './editForm';

const livekit: NodeSettings = {
  server: 'livekit',
  url: 'https://lk.example',
  apiKey: 'key',
  selfSigned: true,
  queries: { cpuPercent: 'up' },
};
const node: NodeView = {
  id: 'lk',
  name: 'lk',
  role: 'origin',
  server: 'livekit',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: 'lk',
  streams: [],
  settings: livekit,
};

describe('editing a node', () => {
  it('changes nothing without edits', () => {
    expect(editedSettings(editFormOf(node, livekit), livekit)).toEqual(livekit);
    const tester: NodeSettings = { tester: 'ssh', ssh: 'qa@a', jump: 'gate' };
    expect(editedSettings(editFormOf(node, tester), tester)).toEqual(tester);
  });

  it('removes an emptied field and applies a filled one', () => {
    const form = editFormOf(node, livekit);
    expect(
      editedSettings({ ...form, selfSigned: false, texts: { ...form.texts, apiKey: ' ', ssh: ' qa@lk ' } }, livekit),
    ).toEqual({ server: 'livekit', url: 'https://lk.example', ssh: 'qa@lk', queries: { cpuPercent: 'up' } });
  });

  it('lists each secret that its addresses refer to, once, and keeps passwords that are references', () => {
    const settings: NodeSettings = {
      server: 'generic',
      whep: 'https://h/{stream}?token=$secret:TOKEN&b=$env:B',
      whip: 'https://h/{stream}?token=$secret:TOKEN&c=$secret:OTHER',
      httpPassword: '$secret:PW',
    };
    const form = editFormOf(node, settings);
    expect(namedSecrets(form)).toEqual(['TOKEN', 'OTHER', 'PW']);
    expect(editedSettings(form, settings)).toEqual(settings);
  });

  it('applies another server family', () => {
    const form = editFormOf(node, livekit);
    expect(editedSettings({ ...form, server: 'generic' }, livekit)).toMatchObject({ server: 'generic' });
  });

  it('shows the fields of the kind, and other filled ones', () => {
    const keys = (settings: NodeSettings): readonly string[] => editFields(settings).server;
    expect(keys(livekit)).toEqual(['url', 'apiKey', 'metrics']);
    expect(keys({ server: 'livekit', rtmp: 'rtmp://a/b' })).toContain('rtmp');
    expect(keys({ server: 'wcs' })).toContain('ws');
    expect(keys({ server: 'nginx-rtmp' })).toContain('control');
    expect(keys({ server: 'srs' })).not.toContain('control');
    expect(keys({ tester: 'ssh' })).toEqual([]);
    expect(keys({ tester: 'wcs' })).toEqual(['url']);
  });

  it('has a list of queries for a generic server, and keeps those of others', () => {
    expect([supportsQueries({ server: 'generic' }), supportsQueries({ server: 'srs' })]).toEqual([true, false]);
    expect(supportsQueries(livekit)).toBe(true);
    const form = editFormOf(node, livekit);
    expect(form.queries).toEqual([{ series: 'cpuPercent', query: 'up' }]);
    const queries = [
      { series: ' load1 ', query: ' node_load1{instance=$instance} ' },
      { series: '', query: ' ' },
    ];
    expect(editedSettings({ ...form, queries }, livekit)).toMatchObject({
      queries: { load1: 'node_load1{instance=$instance}' },
    });
    expect(editedSettings({ ...form, queries: [] }, livekit)).not.toHaveProperty('queries');
  });

  it.each([
    [[{ series: '', query: 'up' }], 'Enter the series'],
    [[{ series: 'load1', query: '' }], 'Enter the PromQL of "load1"'],
    [[{ series: 'speed', query: 'up' }], 'Unknown series "speed"'],
    [
      [
        { series: 'load1', query: 'a' },
        { series: 'load1', query: 'b' },
      ],
      'Duplicate series "load1"',
    ],
  ])('refuses the queries %j', (queries, sentence) => {
    const form = { ...editFormOf(node, livekit), texts: { prometheus: 'http://p:9090' }, queries };
    expect(queriesProblem(form)).toContain(sentence);
  });

  it('requires a Prometheus for queries, and accepts custom server metrics', () => {
    const form = { ...editFormOf(node, livekit), queries: [{ series: 'server:rooms', query: 'rooms' }] };
    expect(queriesProblem({ ...form, texts: {} })).toContain('Set the Prometheus address');
    expect(queriesProblem({ ...form, texts: { prometheus: 'http://p:9090' } })).toBeUndefined();
    expect(queriesProblem({ ...form, texts: {}, queries: [] })).toBeUndefined();
  });

  it('lists the secrets that the kind may need, and the saved ones', () => {
    expect(secretFields(livekit, [])).toEqual(['sshPassword', 'sshPassphrase', 'apiSecret']);
    expect(secretFields({ tester: 'ssh' }, ['httpPassword'])).toEqual(['sshPassword', 'sshPassphrase', 'httpPassword']);
    expect(secretFields({ server: 'nginx-rtmp' }, [])).toContain('httpPassword');
  });

  it('refuses a name in use', () => {
    const form = editFormOf(node, livekit);
    expect(editProblem({ ...form, name: 'other' }, ['other'])).toContain('already');
    expect(editProblem({ ...form, name: '' }, [])).toContain('letters');
    expect(editProblem(form, ['other'])).toBeUndefined();
  });
});
