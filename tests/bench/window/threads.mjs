import { readdirSync, readFileSync } from 'node:fs';
import { cpuSeconds } from '../audience/programs/processes.mjs';

/** Threads of Chromium that receive, decrypt and decode media, play its sound and put its frames on the screen. */
const decoding = /^(WebRTC|Decoding|Media|Audio|rtc|VideoDecode|Compositor$|VizCompositor)/i;
/** Processes that measure and record with a hidden window too. */
const recording = /^Fullhouse /;

/**
 * CPU time of each thread so far. A thread that ends takes its time with it, so each process has its own sum too.
 * @param {{ pid: number, kind: string }[]} processes
 */
export function readThreads(processes) {
  return processes.flatMap(({ pid, kind }) => {
    try {
      const threads = readdirSync(`/proc/${pid}/task`).flatMap((tid) => threadOf(pid, tid));
      return [{ pid, kind, seconds: cpuSeconds(pid), threads: new Map(threads) }];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function threadOf(pid, tid) {
  try {
    const name = readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim();
    return [[tid, { name, seconds: cpuSeconds(`${pid}/task/${tid}`) }]];
  } catch {
    return [];
  }
}

/** Cost in % of two cores: in total, of each kind of process, of decoding, and of the most expensive threads. */
export function costBetween(before, after, passedSeconds) {
  const percent = (seconds) => (100 * seconds) / passedSeconds / 2;
  const kinds = {};
  const threads = [];
  let total = 0;
  let decodingPercent = 0;
  let recordingPercent = 0;
  for (const now of after) {
    const then = before.find(({ pid }) => pid === now.pid);
    if (!then) continue;
    const spent = percent(now.seconds - then.seconds);
    total += spent;
    if (recording.test(now.kind)) recordingPercent += spent;
    kinds[now.kind] = (kinds[now.kind] ?? 0) + spent;
    for (const [tid, { name, seconds }] of now.threads) {
      const cost = percent(seconds - (then.threads.get(tid)?.seconds ?? 0));
      if (decoding.test(name) && !recording.test(now.kind)) decodingPercent += cost;
      threads.push({ kind: now.kind, name, percent: cost });
    }
  }
  const most = threads.sort((a, b) => b.percent - a.percent).slice(0, 12);
  return { totalPercent: total, decodingPercent, windowPercent: total - recordingPercent, kinds, threads: most };
}
