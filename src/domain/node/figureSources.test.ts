import { describe, expect, it } from 'vitest';
import { FigureSources } from './figureSources';
import { metricOf } from '../series/metricNames';
import { seriesDefinition, type FigureSource } from '../series/series';

const label = (source: FigureSource): string => `by ${source}`;

describe('the sources of a node’s figures', () => {
  it('assign each series to one source, and rename the others', () => {
    const sources = new FigureSources();
    expect(sources.take('node_exporter', { networkOutMbps: 0, cpuPercent: 12 })).toEqual({
      networkOutMbps: 0,
      cpuPercent: 12,
    });
    expect(sources.take('this-machine', { networkOutMbps: 7.66 })).toEqual({ networkOutMbps: 7.66 });
    // From now on the better source has it, even while it has no data.
    expect(sources.take('node_exporter', { networkOutMbps: 0, cpuPercent: 13, load1: 1 })).toEqual({
      'networkOutMbps@node_exporter': 0,
      cpuPercent: 13,
      load1: 1,
    });
    expect(sources.view(label)).toEqual([
      {
        of: 'host',
        figures: 'CPU, memory, network',
        source: 'by this-machine, by node_exporter',
        others: ['by node_exporter'],
      },
    ]);
  });

  it('do not name a source for what is read once in a while', () => {
    const sources = new FigureSources();
    sources.take('node_exporter', { diskFreeBytes: 1e9 });
    sources.take('ssh', { cpuPercent: 12 });
    expect(sources.view(label)).toMatchObject([{ of: 'host', source: 'by ssh' }]);
  });

  it("leave a server's own figures and those of a single source unchanged", () => {
    const sources = new FigureSources();
    sources.take('ssh', { processCpuPercent: 3, 'networkInMbps:eth0': 1 });
    expect(sources.take('server', { 'server:threads': 4, originViewers: 2, processCpuPercent: 5 })).toEqual({
      'server:threads': 4,
      originViewers: 2,
      'processCpuPercent@server': 5,
    });
    expect(sources.take('prometheus', { 'networkInMbps:eth0': 2 })).toEqual({
      'networkInMbps:eth0@prometheus': 2,
    });
  });

  it('have series with the unit of the figure and the source in the title', () => {
    expect(seriesDefinition('networkOutMbps@node_exporter')).toMatchObject({
      title: 'Bandwidth out, by node_exporter',
      unit: 'Mbit/s',
      source: 'host',
    });
    expect(seriesDefinition('networkInMbps:eth0@ssh')?.title).toBe('Bandwidth in eth0, by /proc over SSH');
    expect(seriesDefinition('processCpuPercent@server')?.unit).toBe('%');
    for (const none of ['networkOutMbps@nobody', 'nothing@ssh', 'server:x@ssh@ssh'])
      expect(seriesDefinition(none)).toBeUndefined();
  });

  it('are exposed to Prometheus once per figure', () => {
    expect(metricOf('networkOutMbps@node_exporter')).toBeUndefined();
  });
});
