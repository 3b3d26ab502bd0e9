import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inRoot } from '../../../scripts/setup/paths.mjs';

/** The codecs of video, and which of them the Electron runtime's Chromium plays. */
export const codecs = [
  { codec: 'h264', name: 'H.264', isPlayed: true },
  { codec: 'h265', name: 'H.265', isPlayed: false },
  { codec: 'vp8', name: 'VP8', isPlayed: true },
  { codec: 'vp9', name: 'VP9', isPlayed: true },
  { codec: 'av1', name: 'AV1', isPlayed: true },
];

/** Allowed difference in complete frames, and so in frames a second: percent of the other count. */
export const maxFramesOffPercent = 1;

/**
 * Makes the sample of each codec as a user does, and returns the conditions: a path without loss for each codec.
 * @param {string} folder of the samples
 */
export async function codecConditions(folder, only) {
  const conditions = [];
  for (const { codec, name, isPlayed } of codecs) {
    if (only && !name.includes(only)) continue;
    const args = ['sample', '--codec', codec, '--size', '640x360', '--kbps', '800', '--out', folder];
    const { stdout } = await promisify(execFile)(process.execPath, [inRoot('bin', 'fullhouse.mjs'), ...args]);
    conditions.push({ name, sample: stdout.trim(), way: {}, withBrowser: isPlayed });
  }
  return conditions;
}

const percent = (value, of) => (100 * Math.abs(value - of)) / of;

/** How far the agent's frames are off those of Chromium and those of the lab, in percent. */
export function codecFigures({ condition, agent, browser }) {
  const { framesPerSecond: agentFps } = agent.reported;
  const { framesPerSecond: truthFps } = agent.truth;
  const browserFps = browser?.reported.framesPerSecond;
  return {
    name: condition.name,
    frames: { truth: agent.truth.frames, agent: agent.reported.frames, browser: browser?.reported.frames },
    fps: { truth: truthFps, agent: agentFps, browser: browserFps },
    offTruth: percent(agent.reported.frames, agent.truth.frames),
    offBrowser: browser && percent(agent.reported.frames, browser.reported.frames),
    fpsOffBrowser: browser && percent(agentFps, browserFps),
  };
}
