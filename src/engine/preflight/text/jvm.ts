import { UnreadableError, type Facts } from '../reading/facts';
import type { Need } from '../reading/need';
import { linesFor, restartWcs } from './properties';

/** Options of WCS's JVM, in order: the words of wcs-core.properties that start with "-". Without comments. Pure. */
function jvmOptions(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^[#!]/.test(line))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word.startsWith('-'));
}

export const wcsCore: Need = { config: 'wcs-core.properties' };

export const optionsOf = (facts: Facts): readonly string[] => jvmOptions(facts.config('wcs-core.properties').text);

/** The last of `-XX:+NAME` and `-XX:-NAME`; undefined where both are missing. */
export function flag(options: readonly string[], name: string): boolean | undefined {
  const last = [...options].reverse().find((word) => word === `-XX:+${name}` || word === `-XX:-${name}`);
  return last === undefined ? undefined : last.startsWith('-XX:+');
}

/** The value of the last `-XX:NAME=value`. */
export function option(options: readonly string[], name: string): string | undefined {
  const start = `-XX:${name}=`;
  return [...options]
    .reverse()
    .find((word) => word.startsWith(start))
    ?.slice(start.length);
}

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes of `-Xmx16g` and the like; the last one counts. */
export function heapBytes(options: readonly string[], which: 'Xmx' | 'Xms'): number | undefined {
  const match = [...options]
    .reverse()
    .map((word) => new RegExp(`^-${which}(\\d+)([kmgtKMGT]?)$`).exec(word))
    .find((options) => options !== null);
  return match ? Number(match[1]) * (units[(match[2] ?? '').toLowerCase()] ?? 1) : undefined;
}

export function jvmFix(facts: Facts, ...lines: readonly string[]): string {
  return linesFor(facts.config('wcs-core.properties').path, lines, restartWcs);
}

export const jdkNeeds: readonly Need[] = [{ config: 'jdk release' }, { command: 'java' }];

/** Version of the JDK: of the running JVM where known, else of `java` in the PATH. */
export function jdkVersion(facts: Facts): { readonly text: string; readonly major: number } {
  const release = facts.maybe((all) => all.config('jdk release').text);
  const text =
    (release && /^JAVA_VERSION="([^"]+)"/m.exec(release)?.[1]) ?? /version "([^"]+)"/.exec(facts.command('java'))?.[1];
  if (!text) throw new UnreadableError('The version of the JDK is unknown.');
  // 1.8.0_292 is 8.
  const major = Number(/^(?:1\.)?(\d+)/.exec(text)?.[1]);
  return { text, major };
}
