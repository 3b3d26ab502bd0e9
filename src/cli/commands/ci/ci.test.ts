import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../../tests/support/typedCommand';
import { commentMarker, markerOf } from '../../commentMarker';

describe('fullhouse ci', () => {
  it('reads several values of one input, one per line, and an empty input as none', () => {
    expect(
      typedCommand([
        ...['ci', 'plan.yaml', '--baseline', 'a.fullhouse\n b \n', '--baseline', '', '--set', 'pull.viewers=5\n'],
        ...['--summary', '', '--outputs', 'out.env', '--link', '', '--junit', 'junit.xml'],
      ]),
    ).toEqual({
      command: 'ci',
      plan: 'plan.yaml',
      out: 'runs',
      sets: ['pull.viewers=5'],
      allowHooks: false,
      yes: false,
      acceptHostKeys: [],
      baselines: ['a.fullhouse', 'b'],
      summary: undefined,
      comment: undefined,
      junit: 'junit.xml',
      inconclusiveIs: 3,
      outputs: 'out.env',
      link: undefined,
    });
  });

  it('refuses a link that is no web address', () => {
    expect(() => typedCommand(['ci', 'plan.yaml', '--link', 'javascript:alert(1)'])).toThrow(
      '--link must start with https:// or http://, not "javascript:alert(1)".',
    );
  });

  it('refuses options of other commands', () => {
    expect(() => typedCommand(['ci', 'plan.yaml', '--json'])).toThrow('"ci" has no option --json.');
    expect(() => typedCommand(['run', 'plan.yaml', '--baseline', 'a'])).toThrow('"run" has no option --baseline.');
  });
});

describe('fullhouse comment', () => {
  it('needs the number of a pull request', () => {
    expect(typedCommand(['comment', 'c.md', '--pull-request', '7'])).toEqual({
      ...{ command: 'comment', file: 'c.md', pullRequest: 7 },
    });
    for (const wrong of ['', '0', '7/../8'])
      expect(() => typedCommand(['comment', 'c.md', '--pull-request', wrong])).toThrow('number of a pull request');
  });

  it('finds the comment of the same plan by its first line, whatever the plan is called', () => {
    const marker = commentMarker('load/--> plan.yaml');
    expect(markerOf(`${marker}\n## Pull`)).toBe(marker);
    expect(marker.indexOf('-->')).toBe(marker.length - 3);
    expect(commentMarker('other.yaml')).not.toBe(marker);
    expect(markerOf('## Pull')).toBeUndefined();
  });
});
