import { UnreadableError, type Facts } from '../reading/facts';

/** Path of a kernel setting: `net.core.rmem_max` is `/proc/sys/net/core/rmem_max`. */
export const sysctlPath = (name: string): string => `/proc/sys/${name.replaceAll('.', '/')}`;

/** A text that must be a number. */
export function numberIn(text: string, what: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw new UnreadableError(`${what} reads "${text.trim().slice(0, 60)}", which is not a number.`);
  return number;
}

/** Its numbers, e.g. both of `net.ipv4.ip_local_port_range`. */
export function sysctlNumbers(facts: Facts, name: string): readonly number[] {
  return facts
    .file(sysctlPath(name))
    .trim()
    .split(/\s+/)
    .map((word) => numberIn(word, name));
}

export function sysctlNumber(facts: Facts, name: string): number {
  return sysctlNumbers(facts, name)[0] ?? 0;
}

/** Sets it now and permanently. */
export function sysctlFix(...settings: ReadonlyArray<readonly [string, number | string]>): string {
  const words = settings.map(([name, value]) =>
    typeof value === 'number' ? `${name}=${value}` : `${name}="${value}"`,
  );
  const lines = settings.map(([name, value]) => `${name} = ${value}`).join('\\n');
  return `sudo sysctl -w ${words.join(' ')} && printf '${lines}\\n' | sudo tee -a /etc/sysctl.d/60-streaming.conf`;
}
