import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';

const read = (...args: string[]): unknown => typedCommand(args);

describe('report and snapshot', () => {
  it('take a format and what to redact', () => {
    expect(read('report', 'a.fullhouse')).toEqual({ command: 'report', run: 'a.fullhouse', format: 'html' });
    expect(read('report', 'a', '--format', 'junit', '--redact', 'all', '--out', 'ci.xml')).toEqual({
      command: 'report',
      run: 'a',
      format: 'junit',
      out: 'ci.xml',
      choice: { keepKinds: [], keep: [] },
    });
    expect(read('snapshot', 'a', '--redact', 'addresses, users,keys')).toMatchObject({
      choice: { keepKinds: ['stream', 'node', 'file', 'name', 'program', 'text', 'note', 'still'] },
    });
    expect(read('snapshot', 'a', '--list')).toMatchObject({ list: true, choice: { keepKinds: [] } });
    expect(read('run', 'p.yaml', '--junit', 'ci.xml', '--markdown', 'ci.md')).toMatchObject({
      junit: 'ci.xml',
      markdown: 'ci.md',
    });
  });
  it.each([
    [['report', 'a', '--format', 'pdf'], /Unknown format "pdf"; use one of html, junit, markdown, csv/],
    [['snapshot', 'a', '--redact', 'hosts'], /"hosts" is unknown.*Keys and tokens are always removed/],
    [['snapshot', 'a', '--redact', ','], /takes "all" or some of addresses, streams/],
    [['snapshot', 'a', '--list', '--out', 'x'], /--list writes nothing/],
    [['show', 'a', '--redact', 'all'], /"show" has no option --redact/],
  ])('%j is refused', (args, sentence) => {
    expect(() => typedCommand(args)).toThrow(sentence);
  });
});
