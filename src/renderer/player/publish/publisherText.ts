import { figure, grouped, missing } from '../../ui/format/numbers';
import { limitations, type LayerFigures, type Limitation, type PublisherFigures } from './publisherStats';

const limitationNames: Readonly<Record<Limitation, string>> = { cpu: 'CPU', bandwidth: 'bandwidth', other: 'other' };

const inUnit = (value: number | undefined, unit: string, digits: number): string => {
  const { text, unit: shown } = figure(value, unit, digits);
  return shown === '' ? text : `${text} ${shown}`;
};

/** `1280 × 720`; an en dash for a layer that is not sent. */
export const sizeText = ({ width, height }: Pick<LayerFigures, 'width' | 'height'>): string =>
  width === undefined || height === undefined ? missing : `${width} × ${height}`;

/** What limits it now. */
export const limitText = ({ limitedBy }: Pick<LayerFigures, 'limitedBy'>): string =>
  limitedBy === undefined ? 'nothing' : limitationNames[limitedBy];

/** `CPU 2 %, bandwidth 10 %`, of the time since the start; an en dash where it is not measured. */
export function limitedText({ limitedPercent }: Pick<LayerFigures, 'limitedPercent'>): string {
  if (!limitedPercent) return missing;
  const known = limitations.filter((reason) => limitedPercent[reason] > 0);
  return (
    known.map((reason) => `${limitationNames[reason]} ${grouped(limitedPercent[reason], 0)} %`).join(', ') || '0 %'
  );
}

/** Lines about a publication of the window, for a tooltip. */
export function publisherLines({ layers, rttMs, lossPercent }: PublisherFigures): readonly string[] {
  const of = (layer: LayerFigures): readonly string[] => [
    [sizeText(layer), inUnit(layer.fps, 'fps', 1), inUnit(layer.bitrateKbps, 'kbit/s', 0)].join(' · '),
    [
      [layer.codec ?? missing, ...(layer.encoder === undefined ? [] : [`by ${layer.encoder}`])].join(' '),
      `limited: ${limitedText(layer)}`,
    ].join(' · '),
    `${grouped(layer.retransmissions)} sent again · ${grouped(layer.nacks)} NACK · ${grouped(layer.keyframeRequests)} PLI`,
  ];
  return [...layers.flatMap(of), `RTT ${inUnit(rttMs, 'ms', 1)} · loss ${inUnit(lossPercent, '%', 2)}`];
}
