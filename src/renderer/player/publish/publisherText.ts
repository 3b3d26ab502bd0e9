import { figure, grouped, missing, type Figure } from '../../ui/format/numbers';
import { rttFigure } from '../figures/rttFigure';
import { limitations, type LayerFigures, type Limitation, type PublisherFigures } from './publisherStats';

const limitationNames: Readonly<Record<Limitation, string>> = { cpu: 'CPU', bandwidth: 'bandwidth', other: 'other' };

const inUnit = ({ text, unit }: Figure): string => (unit === '' ? text : `${text} ${unit}`);

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
    [sizeText(layer), inUnit(figure(layer.fps, 'fps', 1)), inUnit(figure(layer.bitrateKbps, 'kbit/s', 0))].join(' · '),
    [
      [layer.codec ?? missing, ...(layer.encoder === undefined ? [] : [`by ${layer.encoder}`])].join(' '),
      `limited: ${limitedText(layer)}`,
    ].join(' · '),
    `${grouped(layer.retransmissions)} sent again · ${grouped(layer.nacks)} NACK · ${grouped(layer.keyframeRequests)} PLI`,
  ];
  return [...layers.flatMap(of), `RTT ${inUnit(rttFigure(rttMs))} · loss ${inUnit(figure(lossPercent, '%', 2))}`];
}
