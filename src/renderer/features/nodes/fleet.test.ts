import { afterEach, describe, expect, it } from 'vitest';
import type { ShellApi } from '../../../contract/shell';
import type { NodeView } from '../../../domain/model/node';
import { FakeClient } from '../../../../tests/support/fakeClient';
import { Fleet } from './fleet.svelte';
import { Notices } from '../../ui/notices/notices.svelte';

const node: NodeView = {
  id: 'srs-7',
  name: 'srs-7',
  role: 'origin',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: '',
  streams: [],
};

/** A shell whose dialogs return what the test prepared. */
function shell(answers: Readonly<Record<string, unknown>>): ShellApi & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    call: ((name: string, input: unknown) => {
      asked.push({ name, input });
      return Promise.resolve(answers[name] ?? null);
    }) as ShellApi['call'],
    on: () => () => undefined,
    importDropped: () => Promise.reject(new Error('not here')),
    platform: 'linux',
  };
}

describe('the fleet', () => {
  const notices = new Notices();
  const sentences = (): string[] => notices.list.map(({ tone, sentence }) => `${tone}: ${sentence}`);
  afterEach(() => {
    for (const { id } of notices.list) notices.close(id);
  });

  it('is saved as written by the engine, and reports the path', async () => {
    const desktop = shell({ 'shell.saveText': { path: '/home/qa/fleet.yaml', bytes: 10 } });
    const engine = new FakeClient({ 'nodes.export': () => ({ yaml: 'nodes: {}\n' }) });
    await new Fleet(engine, desktop, notices).export();
    expect(desktop.asked).toEqual([
      { name: 'shell.saveText', input: { suggestedName: 'fleet.yaml', text: 'nodes: {}\n' } },
    ]);
    expect(sentences()).toEqual(['done: Saved /home/qa/fleet.yaml, without secrets.']);
    const [notice] = notices.list;
    expect(notice?.action?.text).toBe('Open');
    notice?.action?.run();
    expect(desktop.asked.at(-1)).toEqual({
      name: 'shell.openSaved',
      input: { path: '/home/qa/fleet.yaml' },
    });
  });

  it('reports nothing if a dialog was cancelled', async () => {
    const engine = new FakeClient({ 'nodes.export': () => ({ yaml: '' }) });
    const fleet = new Fleet(engine, shell({}), notices);
    await fleet.export();
    await fleet.chooseImport();
    expect(sentences()).toEqual([]);
    expect(engine.asked.map(({ name }) => name)).toEqual(['nodes.export']);
  });

  it('is read from a file, and reports what was omitted', async () => {
    const desktop = shell({ 'shell.openText': { name: 'fleet.yaml', text: 'nodes: {}' } });
    const engine = new FakeClient({
      'nodes.import': () => ({ added: ['a', 'b'], remarks: ['c exists already and is unchanged.'] }),
    });
    await new Fleet(engine, desktop, notices).chooseImport();
    expect(sentences()).toEqual(['done: Added a, b.', 'problem: c exists already and is unchanged.']);
  });

  it('returns a refused edit to its dialog, and reports other refusals', async () => {
    const refuse = (sentence: string) => () => {
      throw new Error(sentence);
    };
    const engine = new FakeClient({
      'nodes.edit': refuse('srs-7 is part of the active run.'),
      'nodes.remove': refuse('Stop the run first.'),
      'nodes.trustHostKey': refuse('This is another key.'),
    });
    const fleet = new Fleet(engine, shell({}), notices);
    const change = { name: 'x', settings: { server: 'srs' }, secrets: {} } as const;
    expect(await fleet.edit(node, change)).toBe('srs-7 is part of the active run.');
    await fleet.remove([node]);
    expect(await fleet.trustHostKey(node, 'SHA256:x')).toBe(false);
    expect(sentences()).toEqual(['problem: Stop the run first.', 'problem: This is another key.']);
  });

  it('removes several at once, and restores them from the notice in reverse order', async () => {
    const engine = new FakeClient({
      'nodes.remove': ({ node: id }) => {
        if (id === 'busy') throw new Error('busy is part of the active run.');
        return { done: true };
      },
      'nodes.restore': ({ node: id }) => ({ ...node, id, name: id }),
    });
    const fleet = new Fleet(engine, shell({}), notices);
    const tester = { ...node, id: 't', name: 't', settings: { tester: 'ssh', ssh: 'qa@host' } } as const;
    fleet.chosen = ['srs-7', 'busy', 't'];
    await fleet.remove([node, { ...node, id: 'busy', name: 'busy' }, tester]);
    expect(sentences()).toEqual([
      'problem: busy is part of the active run.',
      "done: Removed 2 nodes. The agent's files remain on the host of t.",
    ]);
    expect(fleet.chosen).toEqual(['busy']);
    engine.asked.length = 0;
    notices.list.find(({ action }) => action)?.action?.run();
    await expect.poll(() => fleet.selected).toBe('srs-7');
    expect(engine.asked).toEqual([
      { name: 'nodes.restore', input: { node: 't' } },
      { name: 'nodes.restore', input: { node: 'srs-7' } },
    ]);
    expect(fleet.chosen).toEqual(['srs-7', 't']);
  });

  it('selects an edited node under its new name', async () => {
    const engine = new FakeClient({ 'nodes.edit': ({ name }) => ({ ...node, id: name, name }) });
    const fleet = new Fleet(engine, shell({}), notices);
    expect(await fleet.edit(node, { name: 'renamed', settings: { server: 'srs' }, secrets: {} })).toBeUndefined();
    expect(fleet.selected).toBe('renamed');
  });
});
