import { afterEach, describe, expect, it } from 'vitest';
import type { ShellApi } from '../../contract/shell';
import type { NodeView } from '../../domain/node';
import { FakeClient } from './fakeClient';
import { Fleet } from './fleet.svelte';
import { Notices } from './notices.svelte';

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

/** A desktop whose dialogs answer what the test says. */
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

  it('is saved as the engine writes it, and says where', async () => {
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

  it('says nothing when a dialog was cancelled', async () => {
    const engine = new FakeClient({ 'nodes.export': () => ({ yaml: '' }) });
    const fleet = new Fleet(engine, shell({}), notices);
    await fleet.export();
    await fleet.chooseImport();
    expect(sentences()).toEqual([]);
    expect(engine.asked.map(({ name }) => name)).toEqual(['nodes.export']);
  });

  it('is read from a file, and tells what was left out', async () => {
    const desktop = shell({ 'shell.openText': { name: 'fleet.yaml', text: 'nodes: {}' } });
    const engine = new FakeClient({
      'nodes.import': () => ({ added: ['a', 'b'], remarks: ['c is there already and stays as it is.'] }),
    });
    await new Fleet(engine, desktop, notices).chooseImport();
    expect(sentences()).toEqual(['done: Added a, b.', 'problem: c is there already and stays as it is.']);
  });

  it('hands a refused edit back to its dialog, and tells other refusals', async () => {
    const refuse = (sentence: string) => () => {
      throw new Error(sentence);
    };
    const engine = new FakeClient({
      'nodes.edit': refuse('srs-7 is part of the run under way.'),
      'nodes.remove': refuse('Stop the run first.'),
      'nodes.trustHostKey': refuse('This is another key.'),
    });
    const fleet = new Fleet(engine, shell({}), notices);
    const change = { name: 'x', settings: { server: 'srs' }, secrets: {} } as const;
    expect(await fleet.edit(node, change)).toBe('srs-7 is part of the run under way.');
    await fleet.remove([node]);
    expect(await fleet.trustHostKey(node, 'SHA256:x')).toBe(false);
    expect(sentences()).toEqual(['problem: Stop the run first.', 'problem: This is another key.']);
  });

  it('removes several at once, and brings them back by the notice in the reverse order', async () => {
    const engine = new FakeClient({
      'nodes.remove': ({ node: id }) => {
        if (id === 'busy') throw new Error('busy is part of the run under way.');
        return { done: true };
      },
      'nodes.restore': ({ node: id }) => ({ ...node, id, name: id }),
    });
    const fleet = new Fleet(engine, shell({}), notices);
    const tester = { ...node, id: 't', name: 't', settings: { tester: 'ssh', ssh: 'qa@host' } } as const;
    fleet.chosen = ['srs-7', 'busy', 't'];
    await fleet.remove([node, { ...node, id: 'busy', name: 'busy' }, tester]);
    expect(sentences()).toEqual([
      'problem: busy is part of the run under way.',
      "done: Removed 2 nodes. The agent's files stay on the host of t.",
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

  it('chooses an edited node under the name that it has now', async () => {
    const engine = new FakeClient({ 'nodes.edit': ({ name }) => ({ ...node, id: name, name }) });
    const fleet = new Fleet(engine, shell({}), notices);
    expect(
      await fleet.edit(node, { name: 'renamed', settings: { server: 'srs' }, secrets: {} }),
    ).toBeUndefined();
    expect(fleet.selected).toBe('renamed');
  });
});
