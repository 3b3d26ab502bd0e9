import type { MachineFingerprint } from '../model/node';
import { formatFigure, counted } from '../text/numberFormat';

/** A machine's processors: `8 × AMD EPYC 7B13`, or `2 cores` if the model is unknown, as often with node_exporter. */
export function cpuText({ cores, cpuModel }: Pick<MachineFingerprint, 'cores' | 'cpuModel'>): string {
  const model = cpuModel.trim();
  if (cores <= 0) return model || 'Unknown CPU';
  if (model !== '') return `${cores} × ${model}`;
  return counted(cores, 'core');
}

/** `23.5 GiB` */
export function memoryText({ memoryBytes }: Pick<MachineFingerprint, 'memoryBytes'>): string {
  return `${formatFigure(memoryBytes / 2 ** 30, 'tenths')} GiB`;
}

/** `2 × Intel(R) Xeon(R), 7.8 GiB` */
export function machineText(machine: MachineFingerprint): string {
  return `${cpuText(machine)}, ${memoryText(machine)}`;
}
