import type { BrowserFigures, BrowserReport } from '../playerReport';

/**
 * Plays streams over WHEP as a page of a browser does, and reports what the player says of each. Bundled into the page
 * as one script (`generatedModules` of `vite.shared.mjs`). All addresses are relative: the page's server passes them on.
 */

interface Task {
  readonly players: readonly string[];
  /** For how long each plays, from when it is connected. */
  readonly playMs: number;
}

interface BrowserNavigator extends Navigator {
  readonly userAgentData?: {
    getHighEntropyValues(
      hints: readonly string[],
    ): Promise<{ fullVersionList?: readonly { brand: string; version: string }[] }>;
  };
}

/** `Chromium 156.0.8078.108`. */
async function browserName(): Promise<string> {
  const { userAgentData, userAgent } = navigator as BrowserNavigator;
  const values = await userAgentData?.getHighEntropyValues(['fullVersionList']);
  const found = values?.fullVersionList?.find(({ brand }) => brand === 'Chromium');
  return found ? `${found.brand} ${found.version}` : userAgent;
}

const send = (path: string, body: string): Promise<Response> => fetch(path, { method: 'POST', body });

function connected(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    peer.addEventListener('connectionstatechange', () => {
      if (peer.connectionState === 'connected') resolve();
      if (peer.connectionState === 'failed') reject(new Error('The connection failed.'));
    });
  });
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (peer.iceGatheringState === 'complete') resolve();
    };
    peer.addEventListener('icegatheringstatechange', check);
    check();
  });
}

async function reportOf(peer: RTCPeerConnection): Promise<BrowserFigures> {
  const all = [...(await peer.getStats()).values()] as RTCInboundRtpStreamStats[];
  const inbound = all.filter(({ type }) => type === 'inbound-rtp');
  const video = inbound.find(({ kind }) => kind === 'video');
  return {
    packets: inbound.reduce((sum, { packetsReceived = 0 }) => sum + packetsReceived, 0),
    lost: inbound.reduce((sum, { packetsLost = 0 }) => sum + packetsLost, 0),
    frames: video?.framesDecoded ?? 0,
    freezes: video?.freezeCount ?? 0,
    jitterMs: 1000 * (video?.jitter ?? 0),
  };
}

async function play(name: string, playMs: number): Promise<void> {
  const peer = new RTCPeerConnection();
  const media = new MediaStream();
  peer.addEventListener('track', ({ track }) => media.addTrack(track));
  peer.addTransceiver('video', { direction: 'recvonly' });
  peer.addTransceiver('audio', { direction: 'recvonly' });
  await peer.setLocalDescription();
  await gathered(peer);
  const ready = connected(peer);
  const response = await send(`whep/${name}`, peer.localDescription?.sdp ?? '');
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  await peer.setRemoteDescription({ type: 'answer', sdp: text });
  const video = document.body.appendChild(document.createElement('video'));
  Object.assign(video, { autoplay: true, muted: true, playsInline: true, srcObject: media });
  await ready;
  await new Promise((resolve) => setTimeout(resolve, playMs));
  const report: BrowserReport = { browser: await browserName(), ...(await reportOf(peer)) };
  await fetch(`whep/${name}`, { method: 'DELETE' });
  peer.close();
  await send(`report/${name}`, JSON.stringify(report));
}

async function main(): Promise<void> {
  const { players, playMs } = (await (await fetch('task')).json()) as Task;
  await Promise.all(
    players.map((name) => play(name, playMs).catch((error: Error) => send(`problem/${name}`, error.message))),
  );
}

void main();
