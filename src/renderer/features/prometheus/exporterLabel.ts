import { exporterName, type ExporterFamily } from '../../../domain/model/imported';

/** What a target measures: a host, or the program. */
export const exporterLabel = (family: ExporterFamily): string =>
  family === 'node_exporter' ? 'host' : exporterName(family);
