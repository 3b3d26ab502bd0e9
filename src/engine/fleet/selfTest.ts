import { selfTestResult } from '../../contract/agentProtocol';
import type { SelfTest } from '../../domain/model/testerMeasured';
import { parseForeignJson } from '../../domain/budget/foreignJson';

export const selfTestMs = 2000;

/** Arguments of the agent's self-test, which keeps a core busy for `selfTestMs`. */
export const selfTestArguments: readonly string[] = ['self-test', '--duration', `${selfTestMs}ms`];

/** What the self-test printed; undefined for anything but a result. */
export function selfTestOf(output: string, nowMs: number): SelfTest | undefined {
  try {
    const { packets, cpuMs, wallMs } = selfTestResult.parse(parseForeignJson(output));
    return packets > 0 ? { packets, cpuMs: cpuMs ?? wallMs, measuredMs: nowMs } : undefined;
  } catch {
    return undefined;
  }
}
