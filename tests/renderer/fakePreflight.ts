import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { preflightCalls } from '../../src/contract/preflightCalls';
import type { PreflightProgress, PreflightNode } from '../../src/domain/preflight/progress';
import type { PreflightFinding, PreflightReport } from '../../src/domain/model/preflightReport';
import { audienceIn } from '../support/pullPlan';

const finding = (
  node: string,
  rule: string,
  title: string,
  result: PreflightFinding['result'],
  sentence: string,
  fix?: string,
): PreflightFinding => ({
  rule,
  title,
  node,
  result,
  sentence,
  why: 'When the buffer is full datagrams are dropped without an error, which viewers see as loss and freezes.',
  ...(fix === undefined ? {} : { fix }),
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
});

/** Findings for a misconfigured WCS and its testers; the names are those of the plan. */
export function findingsOf(origin: string, testers: readonly string[]): PreflightFinding[] {
  const wcs = '/usr/local/FlashphonerWebCallServer/conf/flashphoner.properties';
  return [
    finding(
      origin,
      'wcs.media-ports',
      'Media ports',
      'fail',
      `Media ports are not set (default 31001 to 32000) on ${origin}, enough for 499 sessions; this plan needs 1,001.`,
      `# ${wcs}, then restart WCS\nmedia_port_from=20001\nmedia_port_to=29999`,
    ),
    finding(
      origin,
      'wcs.huge-pages',
      'Huge pages',
      'fail',
      `0 huge pages are reserved on ${origin}; a heap of 16 GiB needs 9,216 (18 GiB).`,
      'echo 9216 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages',
    ),
    finding(
      origin,
      'kernel.udp-receive-buffer',
      'UDP receive buffer',
      'warn',
      `net.core.rmem_max on ${origin} is 4,194,304 bytes; recommended for streaming: 16,777,216.`,
      "sudo sysctl -w net.core.rmem_max=16777216 && printf 'net.core.rmem_max = 16777216\\n' | sudo tee -a /etc/sysctl.d/60-streaming.conf",
    ),
    finding(origin, 'wcs.jdk', 'JDK', 'pass', `The JDK of ${origin} is 14.0.1, which the vendor has tested.`),
    finding(origin, 'host.aes', 'AES instructions', 'pass', `The processor of ${origin} has AES instructions.`),
    ...testers.flatMap((tester, index) =>
      index === 0
        ? [
            finding(
              tester,
              'host.nic-speed',
              'Network interface',
              'unread',
              `The interface of ${tester} reports no speed, as on virtual machines; measure the link with iperf3.`,
            ),
            finding(
              tester,
              'tester.ports',
              'Local ports of the tester',
              'pass',
              `${tester} has 28,232 local ports for 500 viewers.`,
            ),
          ]
        : ['UDP receive buffer', 'Clock', 'Free memory', 'Free disk'].map((title, place) =>
            finding(
              tester,
              `kernel.${place}`,
              title,
              'unread',
              `${tester} has no SSH address; edit the node to give it one.`,
            ),
          ),
    ),
  ];
}

export const fakeReport = (timeMs: number): PreflightReport => ({
  timeMs,
  findings: findingsOf('atom-c2550', ['tester-1', 'tester-2']),
});

/** A check for this number of viewers runs until it is cancelled; any other completes at once. */
const endlessViewers = 77;

export function preflightHandlers(
  push: (name: 'preflight', look: PreflightProgress) => void,
): Handlers<keyof typeof preflightCalls> {
  const waiting = new Map<string, () => void>();
  return {
    'preflight.run': ({ id, plan }) => {
      const { from, by } = audienceIn(plan);
      const all = findingsOf(from, by);
      const nodes = [from, ...by].map((node): PreflightNode => ({
        node,
        state: 'judged',
        rules: all.filter((each) => each.node === node).length,
      }));
      if (plan.pull?.viewers !== endlessViewers) {
        const report = { timeMs: Date.now(), findings: all };
        push('preflight', { id, state: 'done', nodes, findings: all, report });
        return report;
      }
      const half = nodes.map((node, index): PreflightNode => (index === 0 ? node : { ...node, state: 'reading' }));
      const look: PreflightProgress = { id, state: 'running', nodes: half, findings: findingsOf(from, []) };
      push('preflight', look);
      return new Promise((_, reject) =>
        waiting.set(id, () => {
          const problem = 'The preflight was cancelled.';
          push('preflight', { ...look, state: 'cancelled', problem });
          reject(new FullhouseError('cancelled', problem));
        }),
      );
    },
    'preflight.cancel': ({ id }) => {
      waiting.get(id)?.();
      waiting.delete(id);
      return { done: true };
    },
  };
}
