import { _electron, chromium } from 'playwright-core';
import { launchCommand } from '../../../scripts/runtime.mjs';

const switches = [
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--autoplay-policy=no-user-gesture-required',
];

/**
 * A real browser viewer: the Electron runtime's Chromium, or the one that FULLHOUSE_CHROMIUM names. Its page is served
 * by the lab, so that it may post an offer there.
 * @param {string} pageUrl
 */
export async function startBrowser(pageUrl) {
  const program = process.env.FULLHOUSE_CHROMIUM;
  const opened = program ? await openChromium(program, pageUrl) : await openRuntime(pageUrl);
  const { page } = opened;
  return {
    version: await opened.version(),
    watch: (url) => page.evaluate(watch, url),
    read: () => page.evaluate(read),
    leave: () => page.evaluate(leave),
    close: opened.close,
  };
}

async function openChromium(program, pageUrl) {
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: program,
    args: isRoot ? [...switches, '--no-sandbox'] : switches,
  });
  const page = await browser.newPage();
  await page.goto(pageUrl);
  return { page, version: () => Promise.resolve(browser.version()), close: () => browser.close() };
}

async function openRuntime(pageUrl) {
  const { program, args } = launchCommand();
  const app = await _electron.launch({ executablePath: program, args: [...args, ...switches] });
  await app.firstWindow();
  const opened = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }, url) => {
    const window = new BrowserWindow({
      width: 640,
      height: 400,
      // A separate session: the app's session grants nothing to other pages.
      webPreferences: { partition: 'accuracy', sandbox: true, backgroundThrottling: false },
    });
    return window.loadURL(url);
  }, pageUrl);
  return {
    page: await opened,
    version: () => app.evaluate(() => process.versions.chrome),
    close: () => app.close(),
  };
}

/* The rest runs in the page. */

async function watch(url) {
  const connection = new RTCPeerConnection();
  const stream = new MediaStream();
  connection.addTransceiver('audio', { direction: 'recvonly' });
  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.ontrack = ({ track }) => stream.addTrack(track);
  const video = document.createElement('video');
  Object.assign(video, { autoplay: true, muted: true, srcObject: stream });
  document.body.replaceChildren(video);
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp' },
    body: connection.localDescription.sdp,
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The lab returned ${response.status}: ${answer}`);
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  window.watching = { connection, resource: response.headers.get('Location') };
  return answer;
}

async function read() {
  const { connection } = window.watching;
  const of = {};
  for (const report of (await connection.getStats()).values())
    if (report.type === 'inbound-rtp') of[report.kind ?? report.mediaType] = report;
  const { video = {}, audio = {} } = of;
  return {
    lostVideo: video.packetsLost ?? 0,
    lostAudio: audio.packetsLost ?? 0,
    receivedVideo: video.packetsReceived ?? 0,
    nacks: video.nackCount ?? 0,
    plis: video.pliCount ?? 0,
    framesReceived: video.framesReceived ?? 0,
    framesDecoded: video.framesDecoded ?? 0,
    freezes: video.freezeCount ?? 0,
    frozenMs: (video.totalFreezesDuration ?? 0) * 1000,
    jitterMs: (video.jitter ?? 0) * 1000,
  };
}

async function leave() {
  const { connection, resource } = window.watching;
  await fetch(resource, { method: 'DELETE' });
  connection.close();
}
