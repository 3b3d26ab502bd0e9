import type { NodeReading, Trouble } from '../../../domain/node/fleetState';
import { counted, formatFigure, missing } from '../../../domain/text/numberFormat';

const troubleTexts: Readonly<Record<Trouble, string>> = {
  lost: 'lost',
  warning: 'warning',
  busy: 'high CPU',
  none: 'up',
  idle: 'idle',
};

/** `2 lost`, `1 warning`, `3 high CPU`. */
export const troubleCount = (trouble: Trouble, count: number): string =>
  trouble === 'warning' ? counted(count, 'warning') : `${count} ${troubleTexts[trouble]}`;

const part = (name: string, value: number | undefined, unit: string): string => {
  const text = formatFigure(value, 'integer');
  return `${name} ${text === missing ? 'not measured' : [text, unit].filter(Boolean).join(' ')}`;
};

/** A state with its reason: `warning, The certificate expires in 3 days.` */
export const stateText = ({ node, trouble }: NodeReading): string =>
  node.problem ? `${troubleTexts[trouble]}, ${node.problem}` : `${troubleTexts[trouble]}.`;

/** A tile in words: `ams-2: lost, SSH timed out after 10 s.`, or with its figures. */
export function tileText(reading: NodeReading): string {
  const { node, trouble, cpuPercent, memoryPercent, outMbps, viewers } = reading;
  const figures = [
    part('CPU', cpuPercent, '%'),
    part('memory', memoryPercent, '%'),
    part('out', outMbps, 'Mbit/s'),
    ...(node.role === 'origin' ? [part('viewers', viewers, '')] : []),
  ];
  return `${node.name}: ${stateText(reading)}${trouble === 'lost' ? '' : ` ${figures.join(', ')}.`}`;
}
