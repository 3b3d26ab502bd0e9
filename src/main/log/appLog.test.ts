import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { logLine } from '../../engine/base/logLines';
import { AppLog } from './appLog';
import { secretKinds } from '../../domain/model/nodeSettings';
import { variableOf } from '../../domain/secrets/secretVariable';
import { masking } from './knownSecrets';
import { recordConsole, recordOutput } from './openAppLog';

function memoryLog(limit: 'info' | 'debug' = 'info'): { log: AppLog; lines: string[] } {
  const lines: string[] = [];
  const file = {
    append: (text: string) => void lines.push(...text.split('\n').slice(0, -1)),
    lastLines: (count: number) => lines.slice(-count),
  };
  return { log: new AppLog(file, limit, () => Date.UTC(2026, 10, 26, 3)), lines };
}

it('has one line per entry, and indents further lines', () => {
  const { log, lines } = memoryLog();
  log.add('warn', 'engine', 'SSH to a: lost.\nForged 2026\u001b[2J');
  log.add('debug', 'engine', 'Detail.');
  expect(lines).toEqual(['2026-11-26T03:00:00.000Z warn  engine  SSH to a: lost.', '    Forged 2026␛[2J']);
  log.limit = 'debug';
  log.add('debug', 'engine', 'Detail.');
  expect(lines[2]).toBe('2026-11-26T03:00:00.000Z debug engine  Detail.');
});

it('masks the secrets of keychain and environment, and those in addresses', () => {
  const { log, lines } = memoryLog();
  const keep = vi.fn();
  const keychain = masking({ read: () => ({ a: { sshPassword: 'corvid-7' } }), keep }, log.mask, {
    ...Object.fromEntries(secretKinds.map((kind) => [variableOf('b', kind), `jackdaw-${kind}`])),
    FULLHOUSE_RUNS: '/home/qa/runs',
  });
  expect(keychain.read()).toEqual({ a: { sshPassword: 'corvid-7' } });
  keychain.keep('c', { apiSecret: 'magpie-9' });
  expect(keep).toHaveBeenCalledWith('c', { apiSecret: 'magpie-9' });
  const inVariables = secretKinds.map((kind) => `jackdaw-${kind}`).join(' ');
  log.add('error', 'main', `corvid-7 ${inVariables} magpie-9 /home/qa/runs https://qa:rook-10@h/x?token=crow-11`);
  for (const secret of ['corvid', 'jackdaw', 'magpie', 'rook', 'crow']) expect(lines[0]).not.toContain(secret);
  expect(lines[0]).toContain('/home/qa/runs');
});

it('masks a secret that became known later when the lines are read', () => {
  const { log, lines } = memoryLog();
  log.add('info', 'engine', 'Answer: corvid-7');
  log.mask.add('corvid-7');
  expect(lines[0]).toContain('corvid-7');
  expect(log.lastLines(1)[0]).not.toContain('corvid-7');
});

it('records the console, which still prints', () => {
  const { log, lines } = memoryLog();
  const printed = vi.fn();
  const printer = { error: printed, warn: printed, info: printed, log: printed, debug: printed };
  recordConsole(log, printer);
  printer.error('The page: %s', new Error('x').message);
  expect(printed).toHaveBeenCalledWith('The page: x');
  expect(lines[0]).toMatch(/ error main {4}The page: x$/);
});

it('records the output of the engine with its levels', async () => {
  const { log, lines } = memoryLog();
  const [output, echo] = [new PassThrough(), new PassThrough()];
  recordOutput(log, output, 'error', echo);
  output.end(`${logLine('info', 'Run x started.')}${logLine('warn', 'Slow.')}TypeError: y\n`);
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines.map((line) => line.slice(25))).toEqual([
    'info  engine  Run x started.',
    'warn  engine  Slow.',
    'error engine  TypeError: y',
  ]);
  expect(String(echo.read())).toBe('Slow.\nTypeError: y\n');
});
