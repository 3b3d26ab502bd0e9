import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fidelities } from '../../src/domain/model/audienceValues';
import { systemClock } from '../../src/engine/base/clock';
import { compareRows } from '../../src/engine/fidelity/compare';
import { reportedConditions, testedConditions } from '../../src/engine/fidelity/conditions';
import { measureViewers } from '../../src/engine/fidelity/measure';
import { reasonFor, reasons } from '../../src/engine/fidelity/reasons';
import { readRecordedBrowser } from '../../src/engine/fidelity/recorded';
import type { FidelityReport, ReportRow } from '../../src/engine/fidelity/report';
import { ofSession, rowsOf, type FidelityRow } from '../../src/engine/fidelity/rows';
import { agentFolder, cleanUp, cli, later, root, samplesFolder, temporaryFolder } from './support';

afterEach(cleanUp);

const recorded = {
  ...readRecordedBrowser(join(root, 'assets', 'fidelity', 'chromium.json')).conditions,
  ...readRecordedBrowser(join(root, 'tests', 'fixtures', 'chromium-whep', 'chromium.json')).conditions,
};

/** A busy machine sends less often; chance spreads reports. Beyond this factor a rate is another one. */
const rateFactor = 5;
const few = 5;

/** Whether a rate of messages is another one than the browser's: of kinds that both send often enough. */
function isOtherRate(browser: FidelityRow | undefined, viewer: FidelityRow, seconds: number): boolean {
  const [theirs, ours] = [browser?.value, viewer.value];
  if (!theirs || !ours || !('number' in theirs && 'number' in ours) || ours.unit !== '/s') return false;
  if (Math.max(theirs.number, ours.number) * seconds < few) return false;
  const factor = ours.number / theirs.number;
  return !(factor > 1 / rateFactor && factor < rateFactor);
}

describe('what the lab receives from our viewers', () => {
  it('is what it received from Chromium, but for differences with a reason', async () => {
    const { conditions } = await measureViewers({
      ...{ agentFolder, samplesFolder, version: 'test', fidelities, chromium: undefined, playMs: 9000 },
      clock: systemClock,
      conditions: { ...reportedConditions, ...testedConditions },
    });
    const unexplained: string[] = [];
    const used = new Set<string>();
    for (const [condition, viewers] of Object.entries(conditions))
      for (const fidelity of fidelities) {
        const [browser, viewer] = [recorded[condition], viewers[fidelity]];
        if (!browser || !viewer) throw new Error(`${condition}, ${fidelity}: not recorded`);
        const theirs = rowsOf(browser);
        compareRows(theirs, rowsOf(viewer)).forEach((row, place) => {
          const name = `${row.group}: ${row.name}`;
          const found = row.differences.map((difference) => ({
            each: difference,
            why: reasonFor(name, difference, fidelity),
          }));
          for (const { why } of found) if (why !== undefined) used.add(why);
          // Times and rates depend on the machine; of those only gross differences count.
          const isNumber = row.value !== undefined && 'number' in row.value;
          if (!isNumber || row.value === undefined)
            unexplained.push(
              ...found.flatMap(({ each, why }) =>
                why === undefined ? [`${condition}, ${fidelity}: ${name}: ${each}`] : [],
              ),
            );
          const isRepairing = browser.received.repair !== undefined;
          if (fidelity === 'browser' && !isRepairing && row.group === 'RTCP' && isOtherRate(theirs[place], row, 9))
            unexplained.push(`${condition}, ${fidelity}: ${name}: ${JSON.stringify(row.value)}`);
        });
        expect(viewer.received.seconds, `${condition}, ${fidelity}`).toBeGreaterThan(5);
        expect(viewer.player.frames, `${condition}, ${fidelity}`).toBeGreaterThan(20);
        if (viewer.received.repair) expect(viewer.received.repair.repaired).toBeGreaterThan(0);
      }
    expect(unexplained).toEqual([]);
    // Of what chance does not decide, every reason is still one.
    const certain = reasons.filter(({ row }) => [...ofSession].some((group) => row.startsWith(group)));
    expect(certain.filter(({ why }) => !used.has(why))).toEqual([]);
  }, 60_000);
});

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function fidelity(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Said> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [cli, 'fidelity', '--seconds', '7', ...args], { env });
  later(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const rowNamed = (rows: readonly ReportRow[] = [], name: string): ReportRow | undefined =>
  rows.find((row) => `${row.group}: ${row.name}` === name);

describe('fullhouse fidelity', () => {
  it('compares with a real Chromium, and with recorded figures without one', async () => {
    const file = join(temporaryFolder(), 'fidelity.md');
    const [real, without] = await Promise.all([fidelity(['--json']), fidelity(['--out', file], { PATH: '/nowhere' })]);
    expect(real.code, real.stderr).toBe(0);
    const report = JSON.parse(real.stdout.trim().split('\n').at(-1) ?? '') as FidelityReport;
    expect(report.browser).toMatch(/^Chromium \d+\./);
    expect(report.recordedOn).toBeUndefined();
    const setup = rowNamed(report.session, 'SDP offer: video: setup');
    expect([setup?.browser, setup?.viewers.browser.mark, setup?.viewers['media-only'].text]).toEqual([
      'actpass',
      'equal',
      'active',
    ]);
    const [clean, loss, transportCc] = report.conditions;
    expect(report.conditions).toHaveLength(3);
    const isSent = (rows: readonly ReportRow[] | undefined, name: string) => {
      const row = rowNamed(rows, name);
      return [row?.browser, row?.viewers.browser.text].map((text) => Number.parseFloat(text ?? '') > 0);
    };
    expect(isSent(clean?.rows, 'RTCP: REMB')).toEqual([true, true]);
    expect(isSent(loss?.rows, 'RTCP: NACK')).toEqual([true, true]);
    expect(isSent(transportCc?.rows, 'RTCP: TWCC')).toEqual([true, true]);
    expect(isSent(transportCc?.rows, 'Player: frames')).toEqual([true, true]);

    expect(without.code, without.stderr).toBe(0);
    expect(without.stderr).toContain('No Chromium was found on this machine. Install one');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('**The figures of the browser are recorded ones**');
    expect(text).toMatch(/\| Chromium \d[\d.]+, recorded on \d{4}-\d{2}-\d{2} \|/);
    expect(text).toContain('≠ active [1]');
  }, 60_000);

  it('refuses a browser that does not exist, with a sentence', async () => {
    const { code, stderr } = await fidelity(['--chromium', '/nowhere/chromium']);
    expect(code).toBe(2);
    expect(stderr).toContain('--chromium: there is no program /nowhere/chromium. Without this option');
    expect(existsSync('/nowhere')).toBe(false);
  });
});
