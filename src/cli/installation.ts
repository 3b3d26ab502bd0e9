/** Where the program's own parts lie. */
export interface Installation {
  readonly version: string;
  readonly agentFolder: string;
  readonly samplesFolder: string;
}
