import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const codecs = {
  VP8: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  VP9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
  'H.264': ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline'],
  AV1: ['-c:v', 'libsvtav1', '-preset', '12', '-svtav1-params', 'pred-struct=1:rc=2'],
};
const pictures = [
  { name: '426x240, 250 kbit/s', width: 426, height: 240, kbps: 250 },
  { name: '640x360, 600 kbit/s', width: 640, height: 360, kbps: 600 },
  { name: '1280x720, 1.5 Mbit/s', width: 1280, height: 720, kbps: 1500 },
  { name: '1920x1080, 6 Mbit/s', width: 1920, height: 1080, kbps: 6000 },
];
/** Larger pictures take longer: a smaller share of the frames is theirs. */
const shares = [0.7, 0.22, 0.06, 0.02];

const ffmpeg = (args) =>
  spawn('ffmpeg', ['-nostdin', '-hide_banner', '-loglevel', 'error', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Its settings are no errors.
    env: { ...process.env, SVT_LOG: '1' },
  });

/** Encodes and decodes frames of one codec and picture; resolves with what was read of them. */
async function measure({ drawFrame, readFrame, frameTime, frameSource }, codec, picture, frames) {
  const { width, height, kbps } = picture;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`];
  const rate = ['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
  const limits = codec === 'AV1' ? ['-b:v', `${kbps}k`] : rate;
  const encoder = ffmpeg([
    ...[...raw, '-r', '25', '-i', 'pipe:0', ...codecs[codec], ...limits, '-g', '100'],
    ...['-f', 'matroska', 'pipe:1'],
  ]);
  const decoder = ffmpeg(['-f', 'matroska', '-i', 'pipe:0', ...raw, '-fps_mode', 'passthrough', 'pipe:1']);
  encoder.stdout.pipe(decoder.stdin);
  const size = (width * height * 3) / 2;
  const result = { frames: 0, right: 0, unreadable: 0, wrong: 0 };
  let rest = Buffer.alloc(0);
  decoder.stdout.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= size) {
      const reading = readFrame(rest.subarray(0, size), width, height);
      const frame = result.frames;
      result.frames += 1;
      if (!reading) result.unreadable += 1;
      else if (reading.source === frameSource(frame) && reading.timeLow === frameTime(frame) % 2 ** 24)
        result.right += 1;
      else result.wrong += 1;
      rest = rest.subarray(size);
    }
  });
  const done = once(decoder.stdout, 'end');
  for (let frame = 0; frame < frames; frame += 1) {
    const bytes = new Uint8Array(size);
    drawFrame(frame, width, height, bytes);
    if (!encoder.stdin.write(bytes)) await once(encoder.stdin, 'drain');
  }
  encoder.stdin.end();
  await done;
  return result;
}

/**
 * Reads the clock of frames after real codecs, at low bitrates and in noise: none may be read as another one.
 * @param {{ runs?: number }} [options] `runs`: thousands of frames, of all codecs together.
 */
export async function runClockBench({ runs = 40 } = {}) {
  const frames = 1000 * runs;
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const rules = await import(here('../../../out/clock-bench/frames.mjs'));
  const rows = [];
  for (const codec of Object.keys(codecs))
    for (const [index, picture] of pictures.entries())
      rows.push({
        ...{ codec, picture: picture.name },
        ...(await measure(rules, codec, picture, Math.ceil((frames / 4) * shares[index]))),
      });
  return { rows };
}
