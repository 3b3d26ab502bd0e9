import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProbeView } from '../../../domain/model/probe';
import { FakeClient } from '../../../../tests/support/fakeClient';
import { emptyAddForm } from './addForm';
import { AddDraft } from './addDraft.svelte';

const done = { done: true } as const;
const found: ProbeView = {
  probe: 'add-node',
  address: 'srs.example',
  startedMs: 0,
  isDone: false,
  rows: [],
  can: { publish: [], pull: [], play: [], serves: [], measure: [], terminate: false },
  origins: [{ software: 'SRS 7', detail: '', settings: { server: 'srs', url: 'http://srs.example:1985' } }],
  tester: { tester: 'ssh', ssh: 'srs.example' },
  suggestedName: 'srs',
  suggestedRole: 'origin',
  needs: [],
};

function client(of: ConstructorParameters<typeof FakeClient>[0] = {}): FakeClient {
  return new FakeClient({
    'nodes.probe': () => done,
    'nodes.probeEnd': () => done,
    'nodes.trustHostKey': () => done,
    'nodes.add': ({ name }) => ({
      id: name,
      name,
      role: 'origin',
      colourSlot: 1,
      state: 'starting',
      reach: '',
      host: '',
      streams: [],
    }),
    ...of,
  });
}
const names = (engine: FakeClient): string[] => engine.asked.map(({ name }) => name);

describe('a node being added', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has the preferred role first, whatever the address, and only once', () => {
    const engine = client();
    const draft = new AddDraft(engine);
    const typed = (): string | undefined => {
      draft.change({ address: 'srs.example' });
      vi.advanceTimersByTime(500);
      engine.push('probe', found);
      return draft.addition.role;
    };
    draft.prefer('tester');
    expect(typed()).toBe('tester');
    draft.clear();
    expect(typed()).toBe('origin');
  });

  it('is probed once typing stops', () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs' });
    vi.advanceTimersByTime(300);
    draft.change({ address: 'srs.example' });
    vi.advanceTimersByTime(300);
    expect(names(engine)).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(engine.asked).toEqual([
      { name: 'nodes.probe', input: { probe: 'add-node', address: 'srs.example', secrets: {} } },
    ]);
  });

  it('is probed immediately by Enter, and added by Enter once something was found', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs.example' });
    expect(await draft.enter()).toEqual([]);
    expect(names(engine)).toEqual(['nodes.probe']);
    expect(await draft.enter()).toEqual([]);
    expect(names(engine)).toEqual(['nodes.probe']);
    engine.push('probe', found);
    expect(await draft.enter()).toEqual(['srs']);
    expect(engine.asked.at(-2)).toEqual({
      name: 'nodes.add',
      input: { name: 'srs', settings: found.origins[0]?.settings, secrets: {} },
    });
    expect([draft.form.address, draft.probe]).toEqual(['', undefined]);
    vi.advanceTimersByTime(1000);
    expect(names(engine)).toEqual(['nodes.probe', 'nodes.add', 'nodes.probeEnd']);
  });

  it('resets findings and input when the address changes', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs.example' });
    await draft.look();
    engine.push('probe', found);
    draft.change({ role: 'tester', secrets: { sshPassword: 'x' }, name: 'mine' });
    draft.change({ address: 'srs.example:2' });
    expect(draft.probe).toBeUndefined();
    expect(draft.form).toEqual({ ...emptyAddForm, address: 'srs.example:2' });
    engine.push('probe', { ...found, probe: 'another' });
    expect(draft.probe).toBeUndefined();
  });

  it('keeps findings while a secret is typed, and probes again', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs.example' });
    await draft.look();
    const need = { kind: 'httpPassword', sentence: 'For its API.' } as const;
    engine.push('probe', { ...found, needs: [need] });
    draft.change({ secrets: { httpPassword: 'x' } });
    expect(draft.canAdd).toBe(true);
    vi.advanceTimersByTime(500);
    expect(engine.asked.at(-1)?.input).toMatchObject({ secrets: { httpPassword: 'x' } });
    engine.push('probe', found);
    expect(draft.needs).toEqual([need]);
    draft.clear();
    expect(draft.needs).toEqual([]);
  });

  it('probes again after a key was trusted', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'new.example' });
    await draft.look();
    await draft.trust('SHA256:x');
    expect(names(engine)).toEqual(['nodes.probe', 'nodes.trustHostKey', 'nodes.probe']);
  });

  it('shows why an address or an addition was refused, and keeps the input', async () => {
    const refuse = (sentence: string) => () => {
      throw new Error(sentence);
    };
    const draft = new AddDraft(client({ 'nodes.probe': refuse("An address can't contain spaces.") }));
    draft.change({ address: 'two words' });
    await draft.look();
    expect(draft.problem).toBe("An address can't contain spaces.");

    const engine = client({ 'nodes.add': refuse('The keychain is locked.') });
    const second = new AddDraft(engine);
    second.change({ address: 'srs.example' });
    await second.look();
    engine.push('probe', found);
    expect(await second.enter()).toEqual([]);
    expect([second.problem, second.form.address, second.canAdd]).toEqual([
      'The keychain is locked.',
      'srs.example',
      true,
    ]);
  });

  it('ends its probe with the window', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs.example' });
    await draft.look();
    draft.dispose();
    expect(names(engine)).toEqual(['nodes.probe', 'nodes.probeEnd']);
    expect(engine.listenerCount).toBe(0);
  });

  it('takes a pasted curl line apart, and does not check the certificate where it did not', () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: "curl -k -u 'qa:pass word' https://srs.example:1990/api/v1/streams/" });
    vi.advanceTimersByTime(500);
    expect(draft.form).toMatchObject({
      address: 'https://srs.example:1990/api/v1/streams/',
      user: 'qa',
      selfSigned: true,
    });
    expect(engine.asked).toMatchObject([
      { name: 'nodes.probe', input: { user: 'qa', selfSigned: true, secrets: { httpPassword: 'pass word' } } },
    ]);
    draft.change({ address: 'Server: rtmp://srs.example/live\nStream Key: cam' });
    expect(draft.form.address).toBe('rtmp://srs.example/live/cam');
  });

  it('plays what was found only when asked to, and once', async () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'srs.example' });
    vi.advanceTimersByTime(500);
    const can = { ...found.can, pull: ['whep'] } as ProbeView['can'];
    engine.push('probe', { ...found, can });
    expect(draft.canPlay).toBe(false);
    engine.push('probe', { ...found, can, isDone: true });
    expect(draft.canPlay).toBe(true);
    await draft.look(true);
    expect(engine.asked.map(({ input }) => (input as { play?: boolean }).play)).toEqual([undefined, true]);
    const row = { id: 'play', label: 'Playback', state: 'found', found: 'cam over WHEP' } as const;
    engine.push('probe', { ...found, can, isDone: true, rows: [row] });
    expect(draft.canPlay).toBe(false);
  });

  it('moves a password from the address to its own field, and probes with it', () => {
    const engine = client();
    const draft = new AddDraft(engine);
    draft.change({ address: 'http://admin:secret@srs.example:1985' });
    expect(draft.form).toMatchObject({
      address: 'http://srs.example:1985',
      user: 'admin',
      secrets: { httpPassword: 'secret' },
    });
    expect(draft.needs.map(({ kind }) => kind)).toEqual(['user', 'httpPassword']);
    vi.advanceTimersByTime(500);
    expect(engine.asked.at(-1)?.input).toMatchObject({
      address: 'http://srs.example:1985',
      user: 'admin',
      secrets: { httpPassword: 'secret' },
    });
    // Pasted over the same host: only the password differs.
    draft.change({ address: 'http://admin:other@srs.example:1985' });
    expect(draft.form.secrets).toEqual({ httpPassword: 'other' });
    draft.change({ address: 'qa:pw@box' });
    expect(draft.form).toMatchObject({ address: 'qa@box', user: '', secrets: { sshPassword: 'pw' } });
    expect(draft.needs.map(({ kind }) => kind)).toEqual(['sshPassword']);
    draft.dispose();
  });
});
