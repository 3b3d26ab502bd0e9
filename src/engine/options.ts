import type { AlertRule } from '../domain/incidents/rules';
import type { LogLevel } from '../domain/model/logLevel';
import type { Retention } from '../domain/watch/retention';
import type { EngineClock } from './base/clock';
import type { WriteLog } from './base/log';
import type { ConsentOptions } from './consent/planGate';
import type { OpenSource } from './fleet/group/openGroup';
import type { LocalAgents } from './links/localAgent';
import type { StartReader } from './savedRuns/startReader';
import type { readThisHost } from './telemetry/hostReader';

export interface EngineOptions {
  /** Absent: nothing is recorded, and no folder is created or cleaned up. */
  readonly runsFolder?: string;
  /** Where all that the fleet reports is recorded, with and without runs; absent: it is not. */
  readonly watchFolder?: string;
  /** What was recorded there is only read. */
  readonly isWatchReadOnly?: boolean;
  /** How long and how much of it is kept; absent: the default. */
  readonly watchRetention?: Retention;
  /** Folder of agent builds, one subfolder per platform. */
  readonly agentFolder: string;
  /** Folder of the lab's sample media. */
  readonly samplesFolder: string;
  /** Folder of the page of browser viewers without a window; without it there are none. */
  readonly viewerPageFolder?: string;
  /** Starts the processes in which saved runs are read. */
  readonly startReader: StartReader;
  /** Version of Fullhouse. */
  readonly version: string;
  /** Versions of the runtime, e.g. electron; they are part of each run's fingerprint. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Receives log sentences; default: standard error. */
  readonly log?: WriteLog;
  /** The least severe level that `log` receives; default: warn. */
  readonly logLevel?: LogLevel;
  /** Saves the nodes that the user adds; without it they exist only while the engine runs. */
  readonly fleetFile?: string;
  /** The app's own trusted host keys; default: next to the runs, and none without them. */
  readonly knownHostsFile?: string;
  /**
   * Addresses that the person has allowed plans to contact; default: beside `fleetFile`, and without both they are known
   * while the engine runs.
   */
  readonly knownAddressesFile?: string;
  /** The alert rules; default: those of the file beside `fleetFile`, and without it the default ones. */
  readonly alertRules?: readonly AlertRule[];
  /** How plans are entered; default: in a window, beside a fleet. */
  readonly consent?: ConsentOptions;
  /** Fingerprints of host keys that are trusted although unknown, as passed on the command line. */
  readonly acceptHostKeys?: readonly string[];
  /** Default: `~/.ssh`. */
  readonly sshFolder?: string;
  /** Reads the counters of this machine in another way, so that a test does not depend on its other programs. */
  readonly readHost?: typeof readThisHost;
  /** Starts the members of tester groups in another way; for tests. */
  readonly openGroupSource?: OpenSource;
  /** Starts the agents of this machine in another way; for tests. */
  readonly localAgents?: LocalAgents;
  /** Where the lab serves WHIP and WHEP; by default a free port of loopback. */
  readonly labHttp?: string;
  /** Variables that `$env:NAME` may read; by default those of the process whose names start with FULLHOUSE_. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Folder of the runs with which ending runs are compared; default: the folder of runs. */
  readonly baselinesFolder?: string;
  /** How long hosts are measured before the first viewer of a run; default 3 s. */
  readonly baselineMs?: number;
  /** Folder with the user's preflight rules; default: none. */
  readonly rulesFolder?: string;
  /** Folder with the user's server families; default: none. */
  readonly familiesFolder?: string;
  /** Time of all that the engine does; default: the system's. */
  readonly clock?: EngineClock;
}
