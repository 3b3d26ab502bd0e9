import { describe, expect, it, vi } from 'vitest';
import type { Incident } from '../domain/incidents/incident';
import { incidentsJson } from '../domain/incidents/incidentExport';
import { settings } from '../contract/shell';
import type { UpdateState } from '../contract/updateCalls';
import type { ShellHandlers } from './bridge';

vi.mock('electron', () => ({ ipcMain: {} }));
const { callShell } = await import('./bridge');

const copied: string[] = [];
const updates: UpdateState = { current: '1', isOffline: true, phase: 'idle' };
const handlers: ShellHandlers = {
  'shell.export': () => null,
  'shell.allowHooks': () => ({ allowed: false }),
  'shell.allowAlerts': () => ({ allowed: false }),
  'shell.exportComparison': () => null,
  'shell.snapshot': () => null,
  'shell.openSnapshot': () => ({ run: 'copy-1' }),
  'shell.savePng': () => null,
  'shell.openRun': () => null,
  'shell.captures': () => [],
  'shell.chooseCapture': () => ({ done: true }),
  'shell.copyText': ({ text }) => {
    copied.push(text);
    return { done: true };
  },
  'shell.showInFolder': () => Promise.reject(new Error('It is gone.')),
  'shell.processLoad': () => ({ cores: 2, machineBusyPercent: 0, windowCpuPercent: 0 }),
  'shell.wallMode': () => ({ done: true }),
  'shell.settings': () => settings.parse({}),
  'shell.saveText': () => null,
  'shell.saveIncidents': () => null,
  'shell.openText': () => null,
  'shell.openSaved': () => ({ done: true }),
  'shell.about': () => ({
    version: '1',
    runtime: { electron: '45.4.1', chromium: '156.0.0.0' },
    folders: { runs: { path: '/', isOwn: false }, exports: { path: '/', isOwn: false } },
  }),
  'shell.notices': () => ({ text: '' }),
  'shell.chooseFolder': () => null,
  'shell.resetFolder': () => ({
    version: '1',
    runtime: { electron: '45.4.1', chromium: '156.0.0.0' },
    folders: { runs: { path: '/', isOwn: false }, exports: { path: '/', isOwn: false } },
  }),
  'shell.showMenuKeys': () => ({ done: true }),
  'shell.saveSettings': () => ({ done: true }),
  'shell.log': () => ({ done: true }),
  'shell.saveDiagnostics': () => null,
  'shell.showCrashFiles': () => ({ done: true }),
  'shell.updates': () => updates,
  'shell.setUpdateAddress': () => updates,
  'shell.checkUpdates': () => updates,
  'shell.downloadUpdate': () => updates,
  'shell.cancelUpdate': () => updates,
  'shell.installUpdate': () => updates,
  'shell.showUpdate': () => updates,
};

describe('callShell', () => {
  it('takes a list of 5,000 incidents, the longest ones too', async () => {
    const incident: Incident = {
      ...{
        id: 'x'.repeat(40),
        rule: 'x'.repeat(60),
        kind: 'publisher-gone',
        severity: 'critical',
        node: '"'.repeat(200),
      },
      ...{
        nodes: [],
        subjects: Array.from({ length: 200 }, () => '"'.repeat(128)),
        causes: [],
        firing: [],
        places: [],
      },
      ...{ unwatched: [], count: 1_000_000, beganMs: 0, lastMs: 0, began: '"'.repeat(1000) },
    };
    const line = incidentsJson([incident], 0);
    const save = (text: string) => callShell(handlers, 'shell.saveIncidents', { kind: 'json', text });
    await expect(save(line)).resolves.toBeDefined();
    await expect(save('x'.repeat(5000 * line.length))).resolves.toBeDefined();
  });

  it('passes validated input to the handler of that name', async () => {
    expect(await callShell(handlers, 'shell.copyText', { text: 'hello' })).toEqual({ done: true });
    expect(copied).toEqual(['hello']);
  });

  it.each([
    ['an unknown name', 'shell.format', {}],
    ['a name that every object has', 'constructor', {}],
    ['a name that is not a text', 7, {}],
    ['a missing field', 'shell.copyText', {}],
    ['a field of a wrong type', 'shell.copyText', { text: 7 }],
    ['a field too many', 'shell.openRun', { path: '/etc/passwd' }],
    ['a run that is a path', 'shell.showInFolder', { run: '../../etc/passwd' }],
    ['an unknown theme', 'shell.saveSettings', { theme: 'pink' }],
  ])('refuses %s', async (_what, name, input) => {
    await expect(callShell(handlers, name, input)).rejects.toThrow();
    expect(copied).toEqual(['hello']);
  });

  it("passes on a handler's sentence", async () => {
    await expect(callShell(handlers, 'shell.showInFolder', { run: 'monday' })).rejects.toThrow('It is gone.');
  });
});
