import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import type { NodeSettings } from '../../domain/nodeSettings';
import { editedSettings, editFields, editFormOf, editProblem, secretFields } from './editForm';

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
  it('changes nothing when nothing was changed', () => {
    expect(editedSettings(editFormOf(node, livekit), livekit)).toEqual(livekit);
    const tester: NodeSettings = { tester: 'ssh', ssh: 'qa@a', jump: 'gate' };
    expect(editedSettings(editFormOf(node, tester), tester)).toEqual(tester);
  });

  it('forgets a field that was emptied and takes one that was filled', () => {
    const form = editFormOf(node, livekit);
    expect(
      editedSettings(
        { ...form, selfSigned: false, texts: { ...form.texts, apiKey: ' ', ssh: ' qa@lk ' } },
        livekit,
      ),
    ).toEqual({ server: 'livekit', url: 'https://lk.example', ssh: 'qa@lk', queries: { cpuPercent: 'up' } });
  });

  it('takes another family of server', () => {
    const form = editFormOf(node, livekit);
    expect(editedSettings({ ...form, server: 'generic' }, livekit)).toMatchObject({ server: 'generic' });
  });

  it('shows the fields of the kind, and those that are filled anyway', () => {
    const keys = (settings: NodeSettings): string[] => editFields(settings).server.map(({ key }) => key);
    expect(keys(livekit)).toEqual(['url', 'apiKey', 'metrics']);
    expect(keys({ server: 'livekit', rtmp: 'rtmp://a/b' })).toContain('rtmp');
    expect(keys({ tester: 'ssh' })).toEqual([]);
    expect(keys({ tester: 'wcs' })).toEqual(['url']);
  });

  it('asks for the secrets that the kind may need, and for those that are kept', () => {
    expect(secretFields(livekit, [])).toEqual(['sshPassword', 'sshPassphrase', 'apiSecret']);
    expect(secretFields({ tester: 'ssh' }, ['httpPassword'])).toEqual([
      'sshPassword',
      'sshPassphrase',
      'httpPassword',
    ]);
    expect(secretFields({ server: 'nginx-rtmp' }, [])).toContain('httpPassword');
  });

  it('refuses a name that another node has', () => {
    const form = editFormOf(node, livekit);
    expect(editProblem({ ...form, name: 'other' }, ['other'])).toContain('already');
    expect(editProblem({ ...form, name: '' }, [])).toContain('letters');
    expect(editProblem(form, ['other'])).toBeUndefined();
  });
});
