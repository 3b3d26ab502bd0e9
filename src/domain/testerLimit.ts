import type { NodeView } from './node';
import type { Finding, Judged } from './judged';
import { at, count, figure, hostValues, judgedValues, windowMs } from './verdictRules';
import { Stretches, windowEnds } from './windows';

/** From here on a tester's own CPU delays what its viewers see. */
const mostCpuPercent = 95;
/** Datagrams that the tester itself dropped, in percent of those it received: a tenth of what makes a viewer degraded. */
const mostDroppedPercent = 0.2;

/** Testers that were at their own limit: a tester at its limit is no proof against the server. */
export function testerLimits(judged: Judged): Finding[] {
  return judged.testers.flatMap((tester) =>
    [cpuLimit(judged, tester), dropLimit(judged, tester)].filter((each) => each !== undefined),
  );
}

/** A tester on the origin's own host is not judged by that host's CPU: there it is the origin's figure. */
function cpuLimit(judged: Judged, tester: NodeView): Finding | undefined {
  if (tester.host === judged.origin.host) return undefined;
  const stretches = new Stretches(hostValues(judged, tester, 'cpuPercent'));
  const over = windowEnds(judged.time.fromMs, judged.time.toMs, windowMs)
    .map((endMs) => ({ endMs, ...stretches.mean(endMs - windowMs, endMs) }))
    .find((each) => each.mean > mostCpuPercent);
  if (!over) return undefined;
  const sentence = `${tester.name} was at its own limit: CPU ${figure(over.mean)} % over 5 s at ${at(judged, over.endMs)}.`;
  return limit(tester, sentence, `a tester needs CPU to spare, <= ${mostCpuPercent} %`, over.endMs);
}

function dropLimit(judged: Judged, tester: NodeView): Finding | undefined {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const drops = hostValues(judged, tester, 'udpReceiveBufferErrorsPerSecond');
  const dropped = sum(drops.value);
  const received = sum(judgedValues(judged, tester.id, 'packetsPerSecond').value);
  const percent = received > 0 ? (100 * dropped) / received : 0;
  if (percent <= mostDroppedPercent) return undefined;
  const first = drops.timeMs[drops.value.findIndex((value) => value > 0)] ?? judged.time.fromMs;
  const sentence = `${tester.name} was at its own limit: its host dropped ${count(Math.round(dropped))} datagrams (${figure(percent)} %) because socket buffers were full.`;
  return limit(tester, sentence, `a tester drops nothing itself, <= ${mostDroppedPercent} %`, first);
}

function limit(tester: NodeView, sentence: string, expected: string, timeMs: number): Finding {
  return { result: 'failed', sentence, expected, timeMs, node: tester.id, madeByViewers: false };
}
