import { describe, expect, it } from 'vitest';
import { parseCommand } from './args';

const read = (...args: string[]): unknown => parseCommand(args);

describe('report and snapshot', () => {
  it('take a format and what is to be taken out', () => {
    expect(read('report', 'a.fullhouse')).toEqual({ command: 'report', run: 'a.fullhouse', format: 'html' });
    expect(read('report', 'a', '--format', 'junit', '--redact', 'all', '--out', 'ci.xml')).toEqual({
      command: 'report',
      run: 'a',
      format: 'junit',
      out: 'ci.xml',
      choice: { keepKinds: [], keep: [] },
    });
    expect(read('snapshot', 'a', '--redact', 'addresses, users,keys')).toMatchObject({
      choice: { keepKinds: ['stream', 'node', 'file', 'name', 'note', 'still'] },
    });
    expect(read('snapshot', 'a', '--list')).toMatchObject({ list: true, choice: { keepKinds: [] } });
    expect(read('run', 'p.yaml', '--junit', 'ci.xml', '--markdown', 'ci.md')).toMatchObject({
      junit: 'ci.xml',
      markdown: 'ci.md',
    });
  });
  it.each([
    [['report', 'a', '--format', 'pdf'], /There is no report as "pdf"; there are html, junit, markdown, csv/],
    [['snapshot', 'a', '--redact', 'hosts'], /"hosts" is none.*Keys and tokens always go/],
    [['snapshot', 'a', '--redact', ','], /takes "all" or some of addresses, streams/],
    [['snapshot', 'a', '--list', '--out', 'x'], /--list only looks/],
    [['show', 'a', '--redact', 'all'], /"show" knows no --redact/],
  ])('%j is refused', (args, sentence) => {
    expect(() => parseCommand(args)).toThrow(sentence);
  });
});
