import { expect, it } from 'vitest';
import { typedCommand } from '../../tests/support/typedCommand';
import { currentOptions, isVerbose, UsageError } from './args';

it('reads a run with all options', () => {
  expect(typedCommand(['run', 'p.yaml', '--json', '--out', 'x', '--set', 'pull.viewers=2', '--set', 'name=a'])).toEqual(
    {
      command: 'run',
      plan: 'p.yaml',
      isPreset: false,
      out: 'x',
      json: true,
      sets: ['pull.viewers=2', 'name=a'],
      allowHooks: false,
      yes: false,
      metrics: undefined,
      otlp: undefined,
      inconclusiveIs: 3,
      acceptHostKeys: [],
    },
  );
});

const faultOf = (...args: string[]): string => {
  try {
    typedCommand(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

it.each([
  [['rnu', 'p.yaml'], 'Unknown command "rnu". Did you mean "run"?'],
  [['prefligth', 'p.yaml'], 'Unknown command "prefligth". Did you mean "preflight"?'],
  [['help', 'comapre'], 'Unknown command "comapre". Did you mean "compare"?'],
  [['run', 'p.yaml', '--jsno'], 'Unknown option --jsno. Did you mean --json?'],
  [['run', 'p.yaml', '--otu=x'], 'Unknown option --otu. Did you mean --out?'],
  [['probe', 'a@b', '--kye', 'x'], 'Unknown option --kye. Did you mean --key?'],
  [['show', 'a', '--josn'], 'Unknown option --josn. Did you mean --json?'],
  [['run', 'p.yaml', '--zzzzzz'], 'Unknown option --zzzzzz.'],
  [['show', 'a', '--note', 'x'], '"show" has no option --note.'],
])('says what %j probably means', (args, sentence) => {
  expect(faultOf(...args)).toBe(sentence);
});

it('lists the commands where none is close', () => {
  expect(faultOf('dance')).toMatch(/^Unknown command "dance"\. Commands: run, check, presets, /);
});

it('shows the help of a command, however it is requested', () => {
  for (const args of [
    ['run', '--help'],
    ['run', 'p.yaml', '--json', '-h'],
    ['--help', 'run'],
    ['help', 'run'],
  ])
    expect(typedCommand(args)).toEqual({ command: 'help', topic: 'run' });
  for (const args of [['help'], ['--help'], ['help', '--help']])
    expect(typedCommand(args)).toEqual({ command: 'help' });
});

it('reads the exit code of an inconclusive run', () => {
  const read = (value: string): unknown => typedCommand(['run', 'p.yaml', '--inconclusive-is', value]);
  expect(read('pass')).toMatchObject({ inconclusiveIs: 0 });
  expect(read('fail')).toMatchObject({ inconclusiveIs: 1 });
  expect(read('77')).toMatchObject({ inconclusiveIs: 77 });
  for (const value of ['', '-1', '256', '3.5', 'skip']) expect(() => read(value)).toThrow(UsageError);
});

it('knows its defaults', () => {
  expect(typedCommand(['run', 'p.yaml'])).toMatchObject({ out: 'runs', json: false, sets: [] });
  expect(typedCommand([])).toEqual({ command: 'help' });
  expect(typedCommand(['--version'])).toEqual({ command: 'version' });
});

const range = ['--prometheus', 'p:9090', '--from', '2026-11-21T09:00Z', '--to', '2026-11-21T10:00Z'];

it.each([
  [['run']],
  [['run', 'a', 'b']],
  [['run', 'a', '--preset', 'b']],
  [['presets', 'a', 'b']],
  [['presets', '--json']],
  [['play', 'a']],
  [['run', 'a', '--viewers', '3']],
  [['show', 'a', '--set', 'x=1']],
  [['probe']],
  [['remove-agent', 'a@b', '--json']],
  [['history']],
  [['history', 'x', ...range]],
  [['history', ...range, '--json']],
  [['history', '--prometheus', 'p:9090', '--from', '2026-11-21T09:00Z']],
  [['history', ...range, '--to', '2026-11-21T08:00Z']],
  [['history', ...range, '--from', 'yesterday']],
  [['history', ...range, '--step', '15']],
  [['history', ...range, '--step', '0s']],
  [['history', ...range, '--prometheus', 'ftp://p']],
  [['history', ...range, '--prometheus', 'http://:x']],
  [['fidelity', 'x']],
  [['fidelity', '--seconds', '6']],
  [['fidelity', '--set', 'x=1']],
])('refuses %j', (args) => {
  expect(() => typedCommand(args)).toThrow(UsageError);
});

it('reads a comparison with Chromium', () => {
  expect(typedCommand(['fidelity'])).toEqual({
    command: 'fidelity',
    chromium: undefined,
    playS: 12,
    out: undefined,
    json: false,
  });
  expect(typedCommand(['fidelity', '--chromium', '/c', '--seconds', '20', '--out', 'f.md', '--json'])).toEqual({
    command: 'fidelity',
    chromium: '/c',
    playS: 20,
    out: 'f.md',
    json: true,
  });
});

it('reads a preset instead of a plan', () => {
  expect(typedCommand(['run', '--preset', 'smoke-10', '--set', 'nodes.origin.whep=x'])).toMatchObject({
    plan: 'smoke-10',
    isPreset: true,
    sets: ['nodes.origin.whep=x'],
  });
  expect(typedCommand(['presets'])).toEqual({ command: 'presets', preset: undefined });
  expect(typedCommand(['presets', 'spike'])).toEqual({ command: 'presets', preset: 'spike' });
});

it('reads an address with its connection options', () => {
  expect(typedCommand(['probe', 'qa@box', '--key', 'k', '--jump', 'j', '--accept-host-key', 'SHA256:x'])).toEqual({
    command: 'probe',
    address: 'qa@box',
    keyFile: 'k',
    jump: 'j',
    acceptHostKeys: ['SHA256:x'],
    user: undefined,
    selfSigned: false,
  });
});

it('reads a past range of a Prometheus', () => {
  expect(typedCommand(['history', ...range])).toEqual({
    command: 'history',
    url: 'http://p:9090',
    instance: undefined,
    fromMs: Date.UTC(2026, 10, 21, 9),
    toMs: Date.UTC(2026, 10, 21, 10),
    stepMs: 15_000,
    out: undefined,
  });
  expect(typedCommand(['history', ...range, '--instance', 'h:9100', '--step', '1m', '--out', 'h.csv'])).toMatchObject({
    instance: 'h:9100',
    stepMs: 60_000,
    out: 'h.csv',
  });
});

it('refuses passwords in arguments, and does not repeat them', () => {
  const parse = (): unknown => typedCommand(['history', ...range, '--prometheus', 'http://qa:sesame@p']);
  expect(parse).toThrow(/FULLHOUSE_PROMETHEUS_HTTP_PASSWORD/);
  expect(parse).not.toThrow(/sesame/);
});

it('reads a preflight, or a request for its rules', () => {
  expect(typedCommand(['preflight', 'p.yaml', '--rules', 'rules', '--json'])).toMatchObject({
    command: 'preflight',
    plan: 'p.yaml',
    rules: 'rules',
    json: true,
  });
  expect(typedCommand(['preflight', '--catalogue'])).toMatchObject({ command: 'preflight', plan: undefined });
  expect(() => typedCommand(['preflight'])).toThrow(UsageError);
  expect(() => typedCommand(['preflight', 'p.yaml', '--out', 'x'])).toThrow(UsageError);
});

it('accepts --verbose with every command', () => {
  for (const args of [
    ['run', 'p.yaml', '--verbose'],
    ['--verbose', 'probe', 'a@b'],
    ['schema', '--verbose'],
  ]) {
    expect(() => typedCommand(args)).not.toThrow();
    expect(isVerbose(args)).toBe(true);
  }
  expect(isVerbose(['run', 'p.yaml'])).toBe(false);
});

it.each([
  [
    ['estimate', '--plan', 'p.yaml', '--most', '40'],
    ['estimate', '--plan', 'p.yaml', '--max', '40'],
    '--most is deprecated. Use --max.',
  ],
  [
    ['import-prometheus', '--prometheus', 'http://p:9090', '--look'],
    ['import-prometheus', '--prometheus', 'http://p:9090', '--list'],
    '--look is deprecated. Use --list.',
  ],
  [['estimate', '--most=40'], ['estimate', '--max=40'], '--most is deprecated. Use --max.'],
])('reads %j by the current name of the option, with a warning', (old, current, warning) => {
  expect(currentOptions(old)).toEqual({ args: current, warnings: [warning] });
});

it('leaves current options unchanged', () => {
  const args = ['estimate', '--plan', 'p.yaml', '--max', '40'];
  expect(currentOptions(args)).toEqual({ args, warnings: [] });
  expect(typedCommand(args)).toMatchObject({ max: 40 });
});
