import type { CommandLine } from 'electron';

/** Switches that Chromium needs before it starts. */
export function setSwitches(commandLine: CommandLine): void {
  // The lab's only candidate is 127.0.0.1, which Chromium excludes by default.
  commandLine.appendSwitch('allow-loopback-in-peer-connection');
  // Own candidates as addresses instead of mDNS names, which a server on a plain host can't resolve.
  commandLine.appendSwitch('disable-features', 'WebRtcHideLocalIpsWithMdns');
  // The control player and the charts continue at full rate while the window is covered.
  commandLine.appendSwitch('disable-background-timer-throttling');
  commandLine.appendSwitch('disable-renderer-backgrounding');
  commandLine.appendSwitch('disable-backgrounding-occluded-windows');
  // The control player starts without a user gesture.
  commandLine.appendSwitch('autoplay-policy', 'no-user-gesture-required');
}
