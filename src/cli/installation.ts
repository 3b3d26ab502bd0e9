import type { StartReader } from '../engine/savedRuns/startReader';

/** Paths of the program's own parts. */
export interface Installation {
  readonly version: string;
  readonly agentFolder: string;
  readonly samplesFolder: string;
  readonly viewerPageFolder: string;
  /** File with what a server received from a Chromium. */
  readonly recordedBrowser: string;
  readonly startReader: StartReader;
}
