import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { pause } from './children.mjs';
import { spreadOf } from '../report/spread.mjs';

let ticksPerSecond;

/**
 * User and system time of a process so far, in seconds, from the text of /proc/PID/stat. Its name may contain spaces
 * and brackets.
 */
export function cpuSecondsOf(stat, ticks) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** VmRSS in MB (10^6 bytes), from the text of /proc/PID/status. */
export function rssMbOf(status) {
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

/** User and system time of a process so far, in seconds. */
export function cpuSeconds(pid) {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK']));
  return cpuSecondsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'), ticksPerSecond);
}

export const rssMb = (pid) => rssMbOf(readFileSync(`/proc/${pid}/status`, 'utf8'));
export const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** The samples of a window, averaged: all received in it except the first, which covers time before it. */
export function averageOf(samples, startMs, endMs, key) {
  const within = samples.filter(({ atMs }) => atMs > startMs && atMs <= endMs).slice(1);
  const values = within.map((sample) => sample[key]).filter((value) => typeof value === 'number');
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.NaN;
}

/**
 * Cost of a process in several windows: CPU in % of one core (user and system time), VmRSS at each window's end, and
 * the rates from its samples.
 * @param {{ pid: number, samples: { atMs: number, packetsPerSecond?: number, kbps?: number }[] }} subject
 * @param {{ windows: number, windowMs: number }} plan
 */
export async function measure(subject, { windows, windowMs }) {
  const { pid } = subject;
  const all = [];
  for (let window = 0; window < windows; window += 1) {
    const startMs = performance.now();
    const before = cpuSeconds(pid);
    await pause(windowMs);
    const endMs = performance.now();
    const cpuPercent = ((cpuSeconds(pid) - before) / (endMs - startMs)) * 1e5;
    const { samples } = subject; // the current ones
    all.push({
      cpuPercent,
      rssMb: rssMb(pid),
      packetsPerSecond: averageOf(samples, startMs, endMs, 'packetsPerSecond'),
      kbps: averageOf(samples, startMs, endMs, 'kbps'),
    });
  }
  const of = (key) => spreadOf(all.map((each) => each[key]));
  return {
    cpuPercent: of('cpuPercent'),
    rssMb: of('rssMb'),
    packetsPerSecond: of('packetsPerSecond'),
    kbps: of('kbps'),
  };
}
