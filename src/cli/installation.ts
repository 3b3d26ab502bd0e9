import type { StartReader } from '../engine/savedRuns/startReader';

/** Where the program's own parts lie. */
export interface Installation {
  readonly version: string;
  readonly agentFolder: string;
  readonly samplesFolder: string;
  readonly startReader: StartReader;
}
