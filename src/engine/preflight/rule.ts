import type { Need } from './reading/need';
import type { ClockView, NodeRole } from '../../domain/model/node';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import type { TesterKind } from '../../domain/model/nodeSettings';
import type { ServerFamily } from '../../domain/model/serverFamilies';
import { isOverTcp, type PullProtocol } from '../../domain/model/protocols';
import type { TesterMeasured } from '../../domain/model/testerMeasured';
import type { PreflightResult } from '../../domain/model/preflightReport';
import type { Facts } from './reading/facts';

/** A node's role in the plan, for rules. */
export interface CheckContext {
  /** The plan's name of the node. */
  readonly node: string;
  readonly role: NodeRole;
  readonly server?: ServerFamily;
  readonly tester?: TesterKind;
  /** For testers in a cluster. */
  readonly pods?: KubernetesSettings;
  /** Peak number of viewers: all of an origin's, a tester's own share. */
  readonly viewers: number;
  /** Peak number of viewers of one stream. */
  readonly viewersOfOneStream: number;
  /** Streams that the plan publishes. */
  readonly publishers: number;
  readonly protocols: readonly PullProtocol[];
  /** From the first viewer to the planned end; absent without a planned end. */
  readonly lengthMs?: number;
  /** Total bandwidth of these viewers, where the stream's bitrate is known. */
  readonly mbps?: number;
  /** For testers: measured by earlier runs and a self-test on its machine. */
  readonly measured?: TesterMeasured;
  /** Its clock's offset to ours, where it was measured. */
  readonly clock?: ClockView;
  /** Other nodes of the plan on the same machine. */
  readonly sharedWith: readonly string[];
  /** Nodes that are only known to have different addresses: a boot id could not be read of both. */
  readonly unsure?: readonly string[];
  /** For testers: the origin's capacity, and the number of testers that share the load. */
  readonly origin?: { readonly node: string; readonly capacity?: MachineCapacity };
  readonly testers: number;
}

/** Resources of a machine. */
export interface MachineCapacity {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly nicMbps?: number;
}

export interface RuleResult {
  readonly result: PreflightResult;
  /** A complete sentence with the value read, and the recommended one where it is not met. */
  readonly sentence: string;
  /** The command or setting that fixes it. */
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
  /** The recommended value, for the catalogue. */
  readonly good: string;
  /** Source of the rule. */
  readonly source: string;
  /** About the machine: nodes of one machine share a finding. By default about the node. */
  readonly isOfMachine?: boolean;
  /** Whether it applies to this node in this plan. */
  readonly applies: (context: CheckContext) => boolean;
  readonly needs: readonly Need[];
  /** Facts and plan in, result out; an unreadable fact makes the result `unread` automatically. */
  readonly judge: (facts: Facts, context: CheckContext) => RuleResult;
}

/** Whether a rule is about this node: pods have no host that could be read, only their cluster. */
export function isAbout({ applies, needs }: PreflightRule, context: CheckContext): boolean {
  return applies(context) && (context.pods === undefined || needs.every((need) => 'cluster' in need));
}

export const pass = (sentence: string): RuleResult => ({ result: 'pass', sentence });
export const warn = (sentence: string, fix?: string): RuleResult => ({
  result: 'warn',
  sentence,
  ...(fix === undefined ? {} : { fix }),
});
export const fail = (sentence: string, fix?: string): RuleResult => ({
  result: 'fail',
  sentence,
  ...(fix === undefined ? {} : { fix }),
});
export const unread = (sentence: string): RuleResult => ({ result: 'unread', sentence });

/** Whether viewers or a published stream use UDP: WebRTC media does, protocols over TCP do not. */
export const usesUdp = ({ protocols }: CheckContext): boolean =>
  protocols.length === 0 || protocols.some((protocol) => !isOverTcp(protocol));
export const onOrigin = ({ role }: CheckContext): boolean => role === 'origin';
export const onTester = ({ role }: CheckContext): boolean => role === 'tester';
/** Origins of a family. */
export const on =
  (...families: readonly ServerFamily[]) =>
  ({ server }: CheckContext): boolean =>
    server !== undefined && families.includes(server);
/** A WCS, as origin or tester. */
export const onWcs = ({ server, tester }: CheckContext): boolean => server === 'wcs' || tester === 'wcs';
/** A WCS with media over RTP. */
export const onWcsByUdp = (context: CheckContext): boolean => onWcs(context) && usesUdp(context);
export const everywhere = (): boolean => true;
