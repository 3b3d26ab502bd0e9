import type { LayerFigures } from '../../player/publish/publisherStats';
import { limitedText, limitText, sizeText } from '../../player/publish/publisherText';
import { figure, missing } from '../../ui/format/numbers';
import type { TableColumn } from '../../ui/table';
import { publisherColumns } from './publisherColumns';

const { bitrate, fps, retransmissions, keyframeRequests } = publisherColumns;
const number = { isNumber: true } as const;

/** The columns of layers that the window sends. The titles are those of other publishers. */
export const layerColumns: readonly TableColumn<LayerFigures>[] = [
  { id: 'size', title: 'Size', width: '92px', text: sizeText },
  {
    ...{ id: 'bitrate', title: bitrate.title, width: bitrate.width, ...number },
    figure: ({ bitrateKbps }) => figure(bitrateKbps, 'kbit/s', 0),
  },
  {
    ...{ id: 'fps', title: fps.title, width: fps.width, ...number },
    figure: ({ fps: rate }) => figure(rate, 'fps', 1),
  },
  { id: 'codec', title: 'Codec', width: '84px', text: ({ codec }) => codec ?? missing },
  { id: 'encoder', title: 'Encoder', width: 'minmax(76px, 1fr)', text: ({ encoder }) => encoder ?? missing },
  {
    ...{ id: 'retransmissions', title: retransmissions.title, width: retransmissions.width, ...number },
    meaning: retransmissions.meaning,
    figure: (layer) => figure(layer.retransmissions, '', 0),
  },
  {
    ...{ id: 'nacks', title: 'NACK', width: '56px', ...number },
    meaning: 'Requests of the server to send packets again',
    figure: ({ nacks }) => figure(nacks, '', 0),
  },
  {
    ...{ id: 'keyframeRequests', title: keyframeRequests.title, width: '48px', ...number },
    meaning: keyframeRequests.meaning,
    figure: (layer) => figure(layer.keyframeRequests, '', 0),
  },
  {
    ...{ id: 'limitedBy', title: 'Limited by', width: '80px' },
    meaning: 'What limits the quality now (qualityLimitationReason)',
    figure: (layer) => ({
      text: limitText(layer),
      unit: '',
      tone: layer.limitedBy === undefined ? 'quiet' : 'warning',
    }),
  },
  {
    ...{ id: 'limitedPercent', title: 'Limited time', width: '152px' },
    meaning: 'Share of the time since the start by each reason (qualityLimitationDurations)',
    text: limitedText,
  },
];
