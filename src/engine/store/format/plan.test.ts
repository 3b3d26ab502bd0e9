import { expect, it } from 'vitest';
import type { z } from 'zod';
import { savedPlan } from './plan';

interface Definition {
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

/** The fields of a schema by their paths, without those of nodes. */
function fieldsOf(schema: z.ZodType, path: string): readonly string[] {
  const { innerType, element, options = [], shape = {} } = schema._zod.def as unknown as Definition;
  const inside = [innerType, element, ...options].flatMap((each) => (each ? fieldsOf(each, path) : []));
  const own = Object.entries(shape).flatMap(([key, each]) => [`${path}${key}`, ...fieldsOf(each, `${path}${key}.`)]);
  return [...new Set([...inside, ...own])];
}

/** Those of format 5, by the field above them. */
const saved = {
  '': 'name nodes publish pull also expect thresholds delay stopWhen schedule hooks',
  publish: 'stream node source simulcast dynacast by publishers oneRoom ratePerSecond protocol',
  pull: 'stream from protocol viewers ratePerSecond holdMs stages search streams rooms fidelity transport tracks participant videos adaptiveStream reconnect browserViewers watchFor withoutMedia cmcd network turn tokens headers label by weights',
  'pull.stages': 'kind viewers overMs forMs by holdMs ratePerSecond replacePercent everyMs',
  'pull.search': 'fromViewers maxViewers settleMs measureMs repeats precisionPercent',
  'pull.rooms': 'size source',
  'pull.watchFor': 'minMs maxMs',
  'pull.network': 'preset downKbps upKbps rttMs jitterMs lossPercent burst queueMs queuePackets sharedBy steps',
  'pull.network.burst': 'p r h k',
  'pull.network.steps': 'atMs preset downKbps upKbps rttMs jitterMs lossPercent burst queueMs queuePackets',
  'pull.network.steps.burst': 'p r h k',
  'pull.turn': 'share bitrateKbps url username password secret selfSigned',
  'pull.tokens': 'file template command secret claims',
  expect: 'connected outages degraded cpu gcPause',
  'expect.cpu': 'comparison value ifMeasured',
  thresholds: 'series comparison value node tolerancePercent graceMs',
  delay: 'stat valueMs',
  stopWhen: 'what node comparison value forMs',
  schedule: 'atMs repeat everyMs',
  hooks: 'at run post',
};

it('reads every field of older plans; one that is removed or renamed needs a step, and is removed here', () => {
  const fields = fieldsOf(savedPlan, '');
  const paths = Object.entries(saved).flatMap(([within, names]) =>
    names.split(' ').map((name) => (within === '' ? name : `${within}.${name}`)),
  );
  expect(paths.filter((path) => !fields.includes(path))).toEqual([]);
});
