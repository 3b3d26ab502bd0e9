import { z } from 'zod';
import { planDocument } from '../../../domain/plan/planDocument';
import { serverFamilies } from '../../../domain/model/serverFamilies';
import { schemaFault } from '../../../domain/text/schemaFault';
import { shortened } from '../../../domain/text/shortened';
import { FullhouseError } from '../../../contract/calls';
import { parseExpectation, unitNames } from './expectation';

/**
 * What a custom rule may read on a node. Rules are shared between users, so a rule must never be able to run something
 * on a server, or to copy a secret into a report: only kernel settings, kernel figures and configuration are readable.
 */
const allowed: readonly RegExp[] = [
  /^\/proc\/sys\/[\w./-]+$/,
  /^\/proc\/net\/[\w.-]+$/,
  /^\/proc\/(cpuinfo|meminfo|loadavg|stat|softirqs|interrupts|swaps|uptime|vmstat|version|filesystems|modules|mounts)$/,
  /^\/sys\/(block|bus|class|devices|fs\/cgroup|kernel\/mm|module)\/[\w.:@,/-]+$/,
  /^\/etc\/[\w.@/-]+$/,
];
const secret =
  /shadow|sudoers|\/ssh\/|\/ssl\/|\/pki\/|letsencrypt|keytab|secret|passw|credential|\.pem$|\.key$|_key$|\/proc\/sys\/kernel\/random/i;

/** Why a path may not be read; undefined when it may. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/') || path.split('/').some((part) => part === '..' || part === '.'))
    return `"${path}" is not an absolute path; write it from the root, without "..".`;
  if (secret.test(path)) return `"${path}" may contain secrets and can't be read by rules.`;
  return allowed.some((pattern) => pattern.test(path))
    ? undefined
    : `"${path}" can't be read by rules; allowed are /proc/sys, kernel figures under /proc and /sys, and /etc.`;
}

/** e.g. `net.core.somaxconn`. */
const sysctlName = /^[a-z0-9_]+(\.[a-z0-9_-]+)+$/i;

/** Configuration that custom rules may read. LiveKit's contains its keys in plain text. */
const readableConfigs = ['flashphoner.properties', 'wcs-core.properties', 'srs.conf', 'nginx.conf'] as const;

const words = z.string().trim().min(1).max(500);
const line = z.string().min(1).max(200);
const word = z.number().int().min(1).max(100);

const read = z.union(
  [
    z.strictObject({
      sysctl: z.string().regex(sysctlName, 'is not a kernel setting name such as net.core.somaxconn'),
      word: word.optional(),
    }),
    z.strictObject({
      file: z.string().superRefine((path, context) => {
        const why = pathProblem(path);
        if (why !== undefined) context.addIssue({ code: 'custom', message: why });
      }),
      line: line.optional(),
      word: word.optional(),
    }),
    z.strictObject({ config: z.enum(readableConfigs), line, word: word.optional() }),
  ],
  {
    error:
      "must be one of { sysctl: NAME }, { file: PATH, line: BEGINNING } and { config: NAME, line: BEGINNING }, with word: N for another word than the first; rules can't run commands",
  },
);

const ownRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'must be lower-case letters, digits, "." and "-"'),
  title: words,
  why: words,
  read,
  expect: z.string().refine((text) => parseExpectation(text) !== undefined, {
    message: `must be a comparison such as ">= 1024", "<= 80 %" or "== on"; units: ${unitNames.join(', ')}`,
  }),
  /** The result when the expectation is not met. */
  otherwise: z.enum(['warn', 'fail']).optional(),
  on: z.enum(['origin', 'tester', 'all']).optional(),
  server: z.enum(serverFamilies).optional(),
  fix: z.string().max(2000).optional(),
  source: words,
});
export type CustomRule = z.infer<typeof ownRule>;

const maxRules = 200;

/** Parses a rule file: one rule, or a list. Throws one sentence about the first error. */
export function parseRules(text: string, file: string): readonly CustomRule[] {
  const refuse = (what: string): FullhouseError => new FullhouseError('bad-rule', `${file}: ${shortened(what)}`);
  let content: unknown;
  try {
    content = planDocument(text, 'a rule file').document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw refuse(`neither YAML nor JSON: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
  return checkRules(Array.isArray(content) ? (content as unknown[]) : [content], file);
}

/** Checks the rules of a file. Throws one sentence about the first error. */
export function checkRules(list: readonly unknown[], file: string): readonly CustomRule[] {
  const refuse = (what: string): FullhouseError => new FullhouseError('bad-rule', `${file}: ${shortened(what)}`);
  if (list.length > maxRules) throw refuse(`a file may contain at most ${maxRules} rules.`);
  const ids = new Set<string>();
  return list.map((rule, index) => {
    const parsed = ownRule.safeParse(rule);
    const where = list.length > 1 ? `rule ${index + 1}: ` : '';
    if (!parsed.success)
      throw refuse(
        `${where}${schemaFault(parsed.error, 'a rule', Object.keys(ownRule.shape), 'a map with id, title, why, read, expect and source')}`,
      );
    if (ids.has(parsed.data.id)) throw refuse(`${where}its id occurs twice.`);
    ids.add(parsed.data.id);
    return parsed.data;
  });
}
