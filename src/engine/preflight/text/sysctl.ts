import { UnreadError, type Facts } from '../reading/facts';

/** Where a kernel setting is read: `net.core.rmem_max` lies at `/proc/sys/net/core/rmem_max`. */
export const sysctlPath = (name: string): string => `/proc/sys/${name.replaceAll('.', '/')}`;

/** A text that should be a number and nothing else. */
export function numberIn(text: string, what: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw new UnreadError(`${what} reads "${text.trim().slice(0, 60)}", which is no number.`);
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

/** Sets it at once and for every start after it. */
export function sysctlFix(...settings: ReadonlyArray<readonly [string, number | string]>): string {
  const words = settings.map(([name, value]) =>
    typeof value === 'number' ? `${name}=${value}` : `${name}="${value}"`,
  );
  const lines = settings.map(([name, value]) => `${name} = ${value}`).join('\\n');
  return `sudo sysctl -w ${words.join(' ')} && printf '${lines}\\n' | sudo tee -a /etc/sysctl.d/60-streaming.conf`;
}
