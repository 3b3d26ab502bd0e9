import { Facts, type Answer } from '../../src/engine/preflight/reading/facts';
import { type ServerProcess } from '../../src/engine/preflight/reading/serverProcess';
import type { ApiName } from '../../src/engine/preflight/reading/need';
import type { ConfigName } from '../../src/engine/preflight/reading/configs';
import { sysctlPath } from '../../src/engine/preflight/text/sysctl';
import { memInfo } from '../../src/engine/preflight/text/machine';

/** Readings of a fake node, for tests: files, patterns, programs and configuration by name. */
export interface TestFacts {
  readonly files?: Readonly<Record<string, string>>;
  readonly patterns?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly programs?: Readonly<Record<string, string>>;
  readonly configs?: Partial<Readonly<Record<ConfigName, string>>>;
  /** Of the server's processes, as far as it is a setting. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly sysctls?: Readonly<Record<string, string | number>>;
  readonly apis?: Partial<Readonly<Record<ApiName, string>>>;
  readonly processes?: readonly ServerProcess[];
  /** GiB of its memory; HugePages_Total. */
  readonly memoryGib?: number;
  readonly hugePages?: number;
}

export function testFacts(given: TestFacts): Facts {
  const answers = new Map<string, Answer>();
  for (const [path, text] of Object.entries(given.files ?? {})) answers.set(path, { text });
  for (const [name, value] of Object.entries(given.sysctls ?? {}))
    answers.set(sysctlPath(name), { text: String(value) });
  for (const [pattern, texts] of Object.entries(given.patterns ?? {}))
    answers.set(`every ${pattern}`, { texts: Object.entries(texts).map(([path, text]) => ({ path, text })) });
  for (const [name, text] of Object.entries(given.programs ?? {})) answers.set(`program ${name}`, { text });
  for (const [name, text] of Object.entries(given.configs ?? {}))
    answers.set(`configuration ${name}`, {
      config: { path: `/conf/${name}`, text, ...(given.environment ? { environment: given.environment } : {}) },
    });
  for (const [name, text] of Object.entries(given.apis ?? {})) answers.set(`API ${name}`, { text });
  if (given.processes) answers.set('process of the server', { processes: given.processes });
  if (given.memoryGib !== undefined)
    answers.set(memInfo, {
      text: `MemTotal: ${given.memoryGib * 2 ** 20} kB\nMemAvailable: ${given.memoryGib * 2 ** 19} kB\nHugePages_Total: ${given.hugePages ?? 0}\nHugepagesize: 2048 kB`,
    });
  return new Facts('origin', answers);
}
