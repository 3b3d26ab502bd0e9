import { formatFigure } from '../../../domain/text/numberFormat';

export const whole = (value: number): string => formatFigure(Math.round(value), 'integer');
/** At most one decimal. */
export const about = (value: number): string =>
  Number.isInteger(value) ? whole(value) : formatFigure(value, 'tenths').replace(/\.0$/, '');
export const gib = (bytes: number): string => `${about(Math.round((bytes / 2 ** 30) * 10) / 10)} GiB`;
export const mbit = (mbps: number): string =>
  mbps >= 1000 ? `${about(mbps / 1000)} Gbit/s` : `${about(Math.round(mbps * 10) / 10)} Mbit/s`;
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`;
export const hours = (ms: number): string =>
  ms >= 3_600_000 ? `${about(Math.round(ms / 360_000) / 10)} h` : `${about(Math.round(ms / 6000) / 10)} min`;
