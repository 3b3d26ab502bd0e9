import { isOriginSettings, type NodeSettings, type OriginSettings } from '../model/nodeSettings';
import { streamAddressKeys } from '../model/addressKeys';
import { traitsOf } from '../model/serverFamilies';
import type { Plan } from '../model/plan';
import { originNames } from '../model/publisherGroup';
import { seriesDefinition, type SeriesId } from '../series/series';
import { isLoopbackHost } from '../text/loopback';

interface Doubt {
  readonly path: string;
  readonly sentence: string;
}

/** Expectations that nothing will measure, by the settings of the nodes: the run would be inconclusive. */
export function unmeasuredExpectations(plan: Plan): Doubt[] {
  const origins = originNames(plan);
  const { cpu, gcPause } = plan.expect;
  const settingsOf = (name: string): NodeSettings | undefined => plan.nodes[name];
  const doubts: Doubt[] = [];
  for (const name of origins) {
    const settings = settingsOf(name);
    if (!settings || !isOriginSettings(settings)) continue;
    if (cpu && cpu.ifMeasured !== true && !hasHostSource(settings))
      doubts.push({ path: 'expect.cpu', sentence: withoutSource('CPU', name) });
    const hasPauses = settings.gcLog !== undefined || settings.server === 'livekit' || settings.server === 'lab';
    if (gcPause && gcPause.ifMeasured !== true && !hasPauses && traitsOf(settings.server).hasNoCollector !== true)
      doubts.push({
        path: 'expect.gcPause',
        sentence: `Nothing measures GC pauses of "${name}": add gcLog to the node, or write "gcPause: off".`,
      });
  }
  plan.thresholds?.forEach(({ series, node }, index) => {
    const settings = node === undefined ? undefined : settingsOf(node);
    if (node === undefined || !settings || !isOfHost(series) || hasHostSource(settings)) return;
    doubts.push({
      path: `thresholds.${index}`,
      sentence: withoutSource(seriesDefinition(series)?.title ?? series, node),
    });
  });
  return doubts;
}

const withoutSource = (title: string, node: string): string =>
  `Nothing measures ${title} of "${node}": add ssh, nodeExporter or prometheus to the node, or the run is inconclusive.`;

const isOfHost = (series: SeriesId): boolean => seriesDefinition(series)?.source === 'host';

/** Agents measure their hosts themselves. */
function hasHostSource(settings: NodeSettings): boolean {
  const { ssh, nodeExporter, prometheus } = settings;
  if (!isOriginSettings(settings) && settings.tester !== 'wcs') return true;
  if ([ssh, nodeExporter, prometheus].some((source) => source !== undefined)) return true;
  return isOriginSettings(settings) && (settings.server === 'lab' || isHere(settings));
}

/** Whether a server is contacted on this machine, whose figures the console reads itself. */
function isHere(settings: OriginSettings): boolean {
  return ['url' as const, ...streamAddressKeys].some((key) => {
    const [, host = ''] =
      /^[a-z][a-z\d+.-]*:(?:\/\/)?(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(settings[key] ?? '') ?? [];
    return host !== '' && isLoopbackHost(host);
  });
}
