import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../base/clock';
import { TesterMeasurements } from './testerMeasurements';

const machine = {
  ...{ system: 'Linux', kernel: '6.1', cpuModel: 'EPYC', cores: 2, memoryBytes: 2 ** 34, versions: {} },
};
const cost = { protocol: 'whep', corePercent: 0.03, kbps: 170, viewers: 300, measuredMs: 7 } as const;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-testers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function measurements(program = 'exit 1'): TesterMeasurements {
  const binary = join(folder, 'agent');
  writeFileSync(binary, `#!/bin/sh\n${program}\n`);
  chmodSync(binary, 0o755);
  const problem = (sentence: string): void => {
    throw new Error(sentence);
  };
  return new TesterMeasurements({
    path: join(folder, 'testers.json'),
    binary,
    clock: { now: () => 5, after: systemClock.after },
    problem,
  });
}

it('saves the cost per viewer by machine and protocol', async () => {
  const first = measurements();
  first.take(machine, cost);
  first.take(machine, { ...cost, protocol: 'rtmp' });
  first.take(machine, { ...cost, corePercent: 0.04, measuredMs: 8 });
  await first.whenSaved();
  const again = measurements();
  expect(again.of(machine)?.costs).toEqual([
    { ...cost, protocol: 'rtmp' },
    { ...cost, corePercent: 0.04, measuredMs: 8 },
  ]);
  expect(again.of({ ...machine, cores: 4 })).toBeUndefined();
  expect(again.of(undefined)).toBeUndefined();
});

it('prefers a measurement of many viewers over one of far fewer', async () => {
  const kept = measurements();
  kept.take(machine, cost);
  kept.take(machine, { ...cost, viewers: 60, corePercent: 0.2 });
  expect(kept.of(machine)?.costs).toEqual([cost]);
  await kept.whenSaved();
});

it('measures again when the file is damaged', async () => {
  writeFileSync(join(folder, 'testers.json'), '{"EPYC":{"costs":"many"}}');
  const kept = measurements();
  kept.take(machine, cost);
  await kept.whenSaved();
  expect(JSON.parse(readFileSync(join(folder, 'testers.json'), 'utf8'))).toMatchObject({
    'EPYC | 2 | 16': { costs: [cost] },
  });
});

it('runs the agent’s self-test of this machine once', async () => {
  const kept = measurements('echo x >> "$0.runs"; echo \'{"packets":1000,"cpuMs":2.5,"wallMs":3}\'');
  await new Promise<void>((resolve) => kept.testThisMachine(machine, resolve));
  expect(kept.of(machine)).toEqual({
    costs: [],
    selfTest: { packets: 1000, cpuMs: 2.5, measuredMs: 5 },
  });
  await kept.whenSaved();
  kept.testThisMachine(machine, () => undefined);
  measurements('echo x >> "$0.runs"').testThisMachine(machine, () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(readFileSync(join(folder, 'agent.runs'), 'utf8')).toBe('x\n');
});
