import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from './commands';
import { withKeys } from './keyBindings';
import { keyLabelOf, titleWithKey } from './shownKeys';

const commands: readonly Command[] = [
  {
    id: 'note',
    title: 'Add note',
    keys: ['m'],
    caps: 'M',
    group: 'run',
    isEnabled: true,
    run: () => undefined,
  },
];

describe('keys shown in the window', () => {
  it('are those currently bound, and none if single keys are off', () => {
    const labelled = (choice: Parameters<typeof withKeys>[1]): string =>
      titleWithKey('Note', keyLabelOf(() => withKeys(commands, choice))('note'));
    expect(labelled({})).toBe('Note, M');
    expect(labelled({ keys: { note: 'j' } })).toBe('Note, J');
    expect(labelled({ keys: { note: '' } })).toBe('Note');
    expect(labelled({ singleKeys: false })).toBe('Note');
    expect(keyLabelOf(() => commands)('unknown')).toBeUndefined();
  });

  it('are not hard-coded in components, since they are configurable', () => {
    const root = join(__dirname, '..', '..');
    const written = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.svelte'))
      .flatMap((name) =>
        [
          ...readFileSync(join(root, name), 'utf8').matchAll(
            /keys(?:=|: )["'][^"']["']|title="[^"{]*, [A-Z0-9/?]"|'[A-Z][^'\n]*, [A-Z0-9]'|[Pp]ress [A-Z]\b/g,
          ),
        ].map(([text]) => `${name}: ${text}`),
      );
    // Keys of a focused row of a list, of the selected player or of an answer: not commands, so not configurable.
    const ofRows =
      /^features\/multiview\/MultiviewDialog\.svelte: keys=|^features\/spotCheck\/SpotCheckDialog\.svelte: keys=|^features\/runs\/RunsHead\.svelte: .*baseline, B|^features\/streams\/StreamRowActions\.svelte: keys="P"/;
    expect(written.filter((text) => !ofRows.test(text))).toEqual([]);
  });
});
