import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from '../args';
import type { Option } from '../command';
import { commands } from '../commands/table';
import { exitCodeMeanings } from '../exitCodes';
import { optionsOf } from '../options';
import { commandsPage } from './commandsPage';
import { completion, shells } from './completion';
import { manPage } from './manPage';
import { commandUsage, usage } from './usage';

const root = join(__dirname, '..', '..', '..');
const build = join(root, 'build', 'cli');
const files = { bash: 'fullhouse.bash', zsh: '_fullhouse', fish: 'fullhouse.fish' } as const;

const byName = commands.map((command) => [command.name, command] as const);

describe('help of the command line; after a change: npx vitest run --project unit src/cli/help -u', () => {
  it('is the man page in build/cli', async () => {
    await expect(manPage(commands)).toMatchFileSnapshot(join(build, 'fullhouse.1'));
  });

  it.each(shells)('is the completion for %s in build/cli', async (shell) => {
    await expect(completion(shell, commands)).toMatchFileSnapshot(join(build, files[shell]));
  });

  it('is the page of the commands in docs', async () => {
    await expect(commandsPage(commands)).toMatchFileSnapshot(join(root, 'docs', 'commands.md'));
  });

  it('has one meaning for the options of one name', () => {
    const meanings = new Map<string, Option>();
    for (const { options } of commands)
      for (const [name, { default: _default, otherwise: _otherwise, ...option }] of Object.entries(options)) {
        expect(option, name).toEqual(meanings.get(name) ?? option);
        meanings.set(name, option);
        expect(option.value === undefined, name).toBe(option.type === 'boolean');
      }
    expect(meanings.size).toBeGreaterThan(50);
  });

  it.each(byName)('shows only options that "%s" has', (name, { forms, options }) => {
    const shown = forms.flatMap(({ words, summary }) => [...`${words} ${summary}`.matchAll(/--([a-z-]+)/g)]);
    const foreign = shown.map(([, option]) => option).filter((option = '') => !Object.hasOwn(options, option));
    // The dashboard is of another command's metrics.
    expect(foreign).toEqual(name === 'grafana' ? ['metrics'] : []);
  });

  it.each(byName)('has examples of "%s" that the parser accepts', (name, { examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples) {
      const words = (line.replace(/ > \S+$/, '').match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
      expect(parseCommand(words), line).toMatchObject({ name });
    }
  });

  it('shows all commands and options, in lines of a terminal', () => {
    const text = usage(commands);
    for (const { name } of commands) expect(text).toContain(`  fullhouse ${name}`);
    for (const name of Object.keys(optionsOf(commands))) expect(text).toContain(`--${name}`);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it.each(byName)('of "%s" has its forms, options and exit codes only', (name, command) => {
    const text = commandUsage(command);
    expect(text.startsWith(`  fullhouse ${name}`)).toBe(true);
    const own = [...Object.keys(command.options), 'help'];
    for (const option of Object.keys(optionsOf(commands)))
      expect(new RegExp(`^  (-h, )?--${option}( |$)`, 'm').test(text), option).toBe(own.includes(option));
    const codes = [...text.matchAll(/^Exit code (\d+): /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(command.exitCodes.map(([code]) => code));
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('has the exit codes of docs/ci.md', () => {
    const page = readFileSync(join(root, 'docs', 'ci.md'), 'utf8');
    const rows = exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n');
    expect(page).toContain(`| exit code | |\n| --- | --- |\n${rows}\n`);
  });

  it('completes in a bash', () => {
    const complete = (...line: readonly string[]): string[] =>
      execFileSync(
        'bash',
        [
          '--norc',
          '-c',
          `${completion('bash', commands)}\nCOMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); compopt() { :; }; _fullhouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...line,
        ],
        {
          cwd: root,
          encoding: 'utf8',
        },
      )
        .split('\n')
        .filter(Boolean);
    expect(complete('fullhouse', 'pre')).toEqual(['presets', 'preflight']);
    expect(complete('fullhouse', 'show', '--')).toEqual(['--json', '--verbose']);
    expect(complete('fullhouse', 'report', 'x', '--format', 'm')).toEqual(['markdown']);
    expect(complete('fullhouse', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(complete('fullhouse', 'run', 'plans/pull-1000')).toEqual(['plans/pull-1000-lab.yaml']);
    expect(complete('fullhouse', 'show', 'README')).toEqual([]);
    expect(complete('fullhouse', 'run', 'a.yaml', '--metrics', '9')).toEqual([]);
  });

  it('is printed on request', () => {
    expect(parseCommand(['completion', 'zsh'])).toMatchObject({ name: 'completion', input: { shell: 'zsh' } });
    for (const more of [[], ['tcsh'], ['zsh', 'fish'], ['zsh', '--json']])
      expect(() => parseCommand(['completion', ...more])).toThrow(UsageError);
  });
});
