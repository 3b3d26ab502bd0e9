import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, root } from '../../integration/support';
import { newDrill } from '../drill';
import { unexplainedLoss, unflushedMs, type Fault, type Played } from '../fault';
import { appFaults } from './app';
import { clockSteps } from './clocks';
import { disks } from './disk';
import { killed } from './killed';
import { limits } from './limits';
import { network } from './network';
import { suspensions } from './suspended';
import { testerFaults } from './testers';
import { installationWith, removeInstallations } from '../installation';
import { buildOtherVersion } from '../otherVersion';
import { buildSteppedAgent } from '../steppedAgent';
import { faultsPage, rowOf, tableOf, type Row } from '../table';

/** Those that wait for a minute are first, beside the others. */
const faults: readonly Fault[] = [
  ...[...network, ...suspensions],
  ...[...appFaults, ...killed, ...clockSteps, ...testerFaults, ...disks, ...limits],
];

const rows: Row[] = [];
const page = join(root, 'docs', 'faults.md');

// Before any run: building takes the processors.
beforeAll(async () => {
  await installationWith(buildSteppedAgent);
  await installationWith(buildOtherVersion);
}, 300_000);

afterAll(async () => {
  removeInstallations();
  await cleanUp();
});

describe.concurrent('a run of 300 viewers', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const drill = newDrill();
    try {
      const played = await fault.play(drill);
      rows.push(rowOf(fault, played));
      check(fault, played);
    } finally {
      await drill.end();
    }
  });
});

function check(fault: Fault, played: Played): void {
  const { sentence, exit, gapSeconds, isRefused } = fault;
  const { shown, recorded, killedMs, leftovers } = played;
  expect(shown).toMatch(sentence);
  expect(played.exit, shown).toBe(exit);
  expect(leftovers).toEqual([]);
  if (isRefused) return expect(recorded).toBeUndefined();
  expect(unexplainedLoss(fault, played), shown).toBe(0);
  expect(recorded, shown).toMatchObject({ invented: 0 });
  if (killedMs !== undefined) expect(killedMs - (recorded?.lastMs ?? 0)).toBeLessThan(unflushedMs);
  if (gapSeconds === undefined) return;
  // A busy machine resumes late, never early.
  expect(recorded?.gapSeconds).toBeGreaterThan(gapSeconds - 1.5);
  expect(recorded?.gapSeconds).toBeLessThan(gapSeconds + 10);
}

it('docs/faults.md has these rows; if not: npx vitest run --project drills -u', async () => {
  const order = faults.map(({ name }) => name);
  const sorted = [...rows].sort((a, b) => order.indexOf(a.fault) - order.indexOf(b.fault));
  process.stderr.write(`\n${tableOf(sorted)}\n\n`);
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  await expect(faultsPage(order, rows, before)).toMatchFileSnapshot(page);
});
