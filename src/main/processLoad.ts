import { cpus } from 'node:os';
import { app } from 'electron';
import type { ShellOutput } from '../contract/shell';

/** CPU of this machine and of the window's processes, from one read to the next. */
export class ProcessLoad {
  private before = machineTimes();

  constructor() {
    // Electron counts from the first read on, which returns 0.
    windowPercent();
  }

  /** The load since the previous read. */
  read(): ShellOutput<'shell.processLoad'> {
    const now = machineTimes();
    const passedMs = now.allMs - this.before.allMs;
    const busyMs = passedMs - (now.idleMs - this.before.idleMs);
    this.before = now;
    const cores = cpus().length;
    return {
      cores,
      machineBusyPercent: passedMs > 0 ? (100 * busyMs) / passedMs : 0,
      windowCpuPercent: windowPercent() * cores,
    };
  }
}

/** CPU of the window in percent of all cores, as Electron reports it. */
function windowPercent(): number {
  const ofWindow = app.getAppMetrics().filter(({ type }) => type === 'Tab' || type === 'GPU');
  return ofWindow.reduce((sum, { cpu }) => sum + cpu.percentCPUUsage, 0);
}

function machineTimes(): { readonly allMs: number; readonly idleMs: number } {
  const times = cpus().map((core) => core.times);
  const allMs = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { allMs, idleMs: times.reduce((sum, { idle }) => sum + idle, 0) };
}
