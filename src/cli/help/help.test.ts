import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from '../args';
import { exitCodeMeanings } from '../exitCodes';
import { options } from '../options';
import { commandNames, commandTable } from './commandTable';
import { completion } from './completion';
import { manPage } from './manPage';
import { optionTable } from './optionTable';
import { shells } from './shells';
import { commandUsage, usage } from './usage';

const build = join(__dirname, '..', '..', '..', 'build', 'cli');
const files = { bash: 'fullhouse.bash', zsh: '_fullhouse', fish: 'fullhouse.fish' } as const;

describe('help of the command line; after a change: npx vitest run --project unit src/cli/help -u', () => {
  it('is the man page in build/cli', async () => {
    await expect(manPage()).toMatchFileSnapshot(join(build, 'fullhouse.1'));
  });

  it.each(shells)('is the completion for %s in build/cli', async (shell) => {
    await expect(completion(shell)).toMatchFileSnapshot(join(build, files[shell]));
  });

  it('has every option, once, in the order of the parser or of the help', () => {
    expect(Object.keys(optionTable).sort()).toEqual(Object.keys(options).sort());
    for (const [name, { type }] of Object.entries(options))
      expect(optionTable[name as keyof typeof options].value === undefined, name).toBe(type === 'boolean');
  });

  it.each(commandNames)('shows only options that "%s" has', (name) => {
    const { forms, options: own } = commandTable[name];
    const shown = forms.flatMap(({ words, summary }) => [...`${words} ${summary}`.matchAll(/--([a-z-]+)/g)]);
    const foreign = shown
      .map(([, option]) => option)
      .filter((option) => !(own as readonly string[]).includes(option ?? ''));
    // The dashboard is of another command's metrics.
    expect(foreign).toEqual(name === 'grafana' ? ['metrics'] : []);
  });

  it('shows all commands and options, in lines of a terminal', () => {
    const text = usage();
    for (const name of commandNames) expect(text).toContain(`  fullhouse ${name}`);
    for (const name of Object.keys(options)) expect(text).toContain(`--${name}`);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it.each(commandNames)('of "%s" has its forms, options and exit codes only', (name) => {
    const text = commandUsage(name);
    expect(text.startsWith(`  fullhouse ${name}`)).toBe(true);
    const own: readonly string[] = [...commandTable[name].options, 'help'];
    for (const option of Object.keys(options))
      expect(new RegExp(`^  (-h, )?--${option}( |$)`, 'm').test(text), option).toBe(own.includes(option));
    for (const [code] of exitCodeMeanings) expect(text).toContain(`Exit code ${code}: `);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('has the exit codes of docs/ci.md', () => {
    const page = readFileSync(join(build, '..', '..', 'docs', 'ci.md'), 'utf8');
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
          `${completion('bash')}\nCOMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); compopt() { :; }; _fullhouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...line,
        ],
        {
          cwd: join(__dirname, '..', '..', '..'),
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
    expect(parseCommand(['completion', 'zsh'])).toEqual({ command: 'completion', shell: 'zsh' });
    for (const more of [[], ['tcsh'], ['zsh', 'fish'], ['zsh', '--json']])
      expect(() => parseCommand(['completion', ...more])).toThrow(UsageError);
  });
});
