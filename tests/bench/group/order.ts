/** How the members' process is to run them. */
export interface MembersOrder {
  readonly size: number;
  /** Real agents of this machine; absent: simulated ones. */
  readonly agents?: { readonly agentFolder: string; readonly samplesFolder: string };
}

/** An agent as the members' process reports it. */
export interface MemberAddress {
  readonly address: string;
  readonly token: string;
}

/** First input of the engine's process. */
export interface EngineOrder {
  readonly members: readonly MemberAddress[];
  /** Viewers of each member. */
  readonly viewersEach: number;
  readonly isSimulated: boolean;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface GroupFigures {
  readonly seconds: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly rssMbMax: number;
  readonly heapMbMax: number;
  /** Longest delay of a timer tick in the engine. */
  readonly longestTaskMs: number;
  readonly connected: number;
  /** Of the group's connected viewers. */
  readonly samplesPerSecond: number;
}
