import { formatTenths } from '../../../domain/text/numberFormat';

export const gib = (bytes: number): string => `${formatTenths(Math.round((bytes / 2 ** 30) * 10) / 10)} GiB`;
export const mbit = (mbps: number): string =>
  mbps >= 1000 ? `${formatTenths(mbps / 1000)} Gbit/s` : `${formatTenths(Math.round(mbps * 10) / 10)} Mbit/s`;
export const hours = (ms: number): string =>
  ms >= 3_600_000
    ? `${formatTenths(Math.round(ms / 360_000) / 10)} h`
    : `${formatTenths(Math.round(ms / 6000) / 10)} min`;
