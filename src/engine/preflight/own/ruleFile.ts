import { z } from 'zod';
import { planDocument } from '../../../domain/plan/planDocument';
import { serverFamilies } from '../../../domain/nodeSettings';
import { shortened } from '../../../domain/shortened';
import { FullhouseError } from '../../../contract/calls';
import { refusedPath, sysctlName } from './allowedPath';
import { parseExpectation, unitNames } from './expectation';

/** Configuration that rules of one's own may look into. LiveKit's holds its keys in the open. */
const readableConfigs = ['flashphoner.properties', 'wcs-core.properties', 'srs.conf', 'nginx.conf'] as const;

const words = z.string().trim().min(1).max(500);
const line = z.string().min(1).max(200);
const word = z.number().int().min(1).max(100);

const read = z.union(
  [
    z.strictObject({
      sysctl: z.string().regex(sysctlName, 'is no name of a kernel setting, such as net.core.somaxconn'),
      word: word.optional(),
    }),
    z.strictObject({
      file: z.string().superRefine((path, context) => {
        const why = refusedPath(path);
        if (why !== undefined) context.addIssue({ code: 'custom', message: why });
      }),
      line: line.optional(),
      word: word.optional(),
    }),
    z.strictObject({ config: z.enum(readableConfigs), line, word: word.optional() }),
  ],
  {
    error:
      'must be one of { sysctl: NAME }, { file: PATH, line: BEGINNING } and { config: NAME, line: BEGINNING }, with word: N where not the first word counts; there is no way to run a command',
  },
);

const ownRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'must be small letters, digits, "." and "-"'),
  title: words,
  why: words,
  read,
  expect: z.string().refine((text) => parseExpectation(text) !== undefined, {
    message: `must be a comparison such as ">= 1024", "<= 80 %" or "== on"; units: ${unitNames.join(', ')}`,
  }),
  /** What it is when the expectation is not met. */
  otherwise: z.enum(['warn', 'fail']).optional(),
  on: z.enum(['origin', 'tester', 'all']).optional(),
  server: z.enum(serverFamilies).optional(),
  fix: z.string().max(2000).optional(),
  source: words,
});
export type OwnRule = z.infer<typeof ownRule>;

const mostRules = 200;
const keys = Object.keys(ownRule.shape);

/** Reads a file of rules: one rule, or a list of them. Throws one sentence about the first thing that is wrong. */
export function parseRules(text: string, file: string): readonly OwnRule[] {
  const refuse = (what: string): FullhouseError =>
    new FullhouseError('bad-rule', `${file}: ${shortened(what)}`);
  let content: unknown;
  try {
    content = planDocument(text, 'a file of rules').document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw refuse(`this is neither YAML nor JSON: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
  const list: readonly unknown[] = Array.isArray(content) ? (content as unknown[]) : [content];
  if (list.length > mostRules) throw refuse(`a file holds at most ${mostRules} rules.`);
  const ids = new Set<string>();
  return list.map((each, index) => {
    const parsed = ownRule.safeParse(each);
    const where = list.length > 1 ? `rule ${index + 1}: ` : '';
    if (!parsed.success) throw refuse(`${where}${sentenceOf(parsed.error)}`);
    if (ids.has(parsed.data.id)) throw refuse(`${where}"${parsed.data.id}" stands there twice.`);
    ids.add(parsed.data.id);
    return parsed.data;
  });
}

function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'this is no rule.';
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return `"${issue.keys[0] ?? ''}" is no key of ${path === '' ? `a rule; possible: ${keys.join(', ')}` : path}.`;
  if (path === '') return 'this is no rule: a map with id, title, why, read, expect and source.';
  const what = issue.message.startsWith('Invalid input') ? 'is missing or of the wrong kind' : issue.message;
  return `${path}: ${what}${what.endsWith('.') ? '' : '.'}`;
}
