import { hookTimes, type PlanHook } from '../../model/plan';
import { postFault } from '../../node/postAddress';
import type { PlanField } from '../planField';
import { scalar, list, flow } from '../yamlText';
import { jsonOf, mapOf } from './fields';
import { choice, listOf, type Kind } from './kind';

export const maxHooks = 20;
export const hooksWrite = 'Write it like [{ at: end, run: [notify, done] }] or [{ at: start, post: "http://..." }].';

/** A program and its arguments: never a shell command line, in which a name could become a command. */
export const programKind: Kind<readonly [string, ...string[]]> = {
  read: (field) => {
    const write = 'Write the program and its arguments as a list, e.g. [notify, done].';
    const [name = '', ...rest] = field.list(write).map((each) => each.text(`${write} Quote values that are not text.`));
    return name ? [name, ...rest] : field.fail(`The program is missing. ${write}`);
  },
  write: (words) => list(words.map(scalar)),
  json: { type: 'array', minItems: 1, items: { type: 'string' } },
  words: 'list',
  bounds: { is: 'other', name: 'program' },
};

const address: Kind<string> = {
  read: (field) => {
    const write = 'Write an address, e.g. "https://example.org/done".';
    const text = field.text(write).trim();
    const fault = postFault(text, 'a plan', write);
    return fault === undefined ? text : field.fail(fault);
  },
  write: scalar,
  json: { type: 'string', pattern: '^https?://' },
  words: 'address',
  bounds: { is: 'other', name: 'address' },
};

/** A hook has one of the last two. */
export const hookFields = {
  at: { key: 'at', kind: choice(hookTimes), help: 'When it runs', write: 'Set when it runs.', missing: hooksWrite },
  run: {
    key: 'run',
    kind: programKind,
    help: 'A program, started with its arguments, never by a shell',
    absent: 'no program',
  },
  post: { key: 'post', kind: address, help: 'A URL that receives the run as JSON', absent: 'no request' },
};

const hook: Kind<PlanHook> = {
  read: (item: PlanField) => {
    const given = mapOf(item, hookFields);
    const at = hookFields.at.kind.read(item.required(given, 'at', hooksWrite), hookFields.at.write);
    const [run, post] = [given.get('run'), given.get('post')];
    if ((run === undefined) === (post === undefined))
      return item.fail(`A hook either runs a program or posts to an address. ${hooksWrite}`);
    return run ? { at, run: programKind.read(run, '') } : { at, post: address.read(post ?? item, '') };
  },
  write: (value) =>
    flow(
      'run' in value
        ? { at: value.at, run: programKind.write(value.run) }
        : { at: value.at, post: address.write(value.post) },
    ),
  json: jsonOf(hookFields),
  words: 'map',
};

export const hooksKind = listOf(hook, '', maxHooks);
