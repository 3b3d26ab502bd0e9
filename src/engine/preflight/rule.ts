import type { ClockView, NodeRole } from '../../domain/node';
import type { ServerFamily, TesterKind } from '../../domain/nodeSettings';
import type { PullProtocol } from '../../domain/plan/plan';
import type { TesterMeasured } from '../../domain/tester/strength';
import type { PreflightResult } from '../../domain/preflight/report';
import type { ApiName } from './reading/apis';
import type { CommandName } from './reading/commands';
import type { ConfigName } from './reading/configs';
import type { Facts } from './reading/facts';

/** One thing that has to be read for a rule. Nothing else is ever read, and nothing is changed. */
export type Need =
  /** One file, by its whole path. */
  | { readonly file: string }
  /** All files of a pattern of the shell, e.g. those of every CPU. */
  | { readonly files: string }
  /** A program with fixed words, see `reading/commands.ts`. */
  | { readonly command: CommandName }
  /** A configuration file of the server, wherever it lies, see `reading/configs.ts`. */
  | { readonly config: ConfigName }
  /** The server's own processes: their words and limits. */
  | { readonly process: 'server' }
  /** What the server tells over HTTP, see `reading/apis.ts`; needs no way to its host. */
  | { readonly api: ApiName };

/** What a rule knows of the node besides what was read: its part in the plan. */
export interface Look {
  /** The plan's name of the node. */
  readonly node: string;
  readonly role: NodeRole;
  readonly server?: ServerFamily;
  readonly tester?: TesterKind;
  /** Most viewers at once: all of an origin's, a tester's own share. */
  readonly viewers: number;
  /** Most viewers of one stream. */
  readonly viewersOfOneStream: number;
  /** Streams that the plan publishes. */
  readonly publishers: number;
  readonly protocols: readonly PullProtocol[];
  /** From the first arrival to the end as planned; absent where a person ends it. */
  readonly lengthMs?: number;
  /** What these viewers receive together, where the stream's bitrate is known. */
  readonly mbps?: number;
  /** For testers: what earlier runs and a self-test measured of its machine. */
  readonly measured?: TesterMeasured;
  /** Its clock against ours, where it was measured. */
  readonly clock?: ClockView;
  /** Other nodes of the plan on the same machine. */
  readonly together: readonly string[];
  /** Nodes of which it is only known that their addresses differ: a boot id could not be read of both. */
  readonly unsure?: readonly string[];
  /** For testers: how strong the origin is, and how many testers share the work. */
  readonly origin?: { readonly node: string; readonly strength?: Strength };
  readonly testers: number;
}

/** What a machine has. */
export interface Strength {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly nicMbps?: number;
}

export interface Judged {
  readonly result: PreflightResult;
  /** A whole sentence with what was read, and with what would be good where it is not. */
  readonly sentence: string;
  /** The command or setting that mends it. */
  readonly fix?: string;
}

/** One rule of the catalogue. */
export interface PreflightRule {
  /** Group and name, e.g. `kernel.udp-receive-buffer`. */
  readonly id: string;
  /** A few words. */
  readonly title: string;
  /** What it checks, for the catalogue. */
  readonly checks: string;
  /** Why it matters, one sentence. */
  readonly why: string;
  /** What is good, for the catalogue. */
  readonly good: string;
  /** Where the rule comes from. */
  readonly source: string;
  /** It is about the machine, so nodes of one machine have one finding; by default about the node. */
  readonly isOfMachine?: boolean;
  /** Whether it is about this node in this plan. */
  readonly applies: (look: Look) => boolean;
  readonly needs: readonly Need[];
  /** Facts and plan in, judgement out; a fact that could not be read makes the result `unread` by itself. */
  readonly judge: (facts: Facts, look: Look) => Judged;
}

export const pass = (sentence: string): Judged => ({ result: 'pass', sentence });
export const warn = (sentence: string, fix?: string): Judged => ({
  result: 'warn',
  sentence,
  ...(fix === undefined ? {} : { fix }),
});
export const fail = (sentence: string, fix?: string): Judged => ({
  result: 'fail',
  sentence,
  ...(fix === undefined ? {} : { fix }),
});
export const unread = (sentence: string): Judged => ({ result: 'unread', sentence });

/** Whether viewers, or a published stream, come over UDP: media of WebRTC does, RTMP does not. */
export const usesUdp = ({ protocols }: Look): boolean =>
  protocols.length === 0 || protocols.some((protocol) => protocol !== 'rtmp');
export const onOrigin = ({ role }: Look): boolean => role === 'origin';
export const onTester = ({ role }: Look): boolean => role === 'tester';
/** Origins of a family. */
export const on =
  (...families: readonly ServerFamily[]) =>
  ({ server }: Look): boolean =>
    server !== undefined && families.includes(server);
/** A WCS, whether it is watched or pulls. */
export const onWcs = ({ server, tester }: Look): boolean => server === 'wcs' || tester === 'wcs';
/** A WCS whose media goes by RTP. */
export const onWcsByUdp = (look: Look): boolean => onWcs(look) && usesUdp(look);
export const everywhere = (): boolean => true;
