import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlan, planToYaml } from '../../domain/plan/planYaml';
import { plan as planSchema } from '../../contract/schemas';
import type { HandlerParts } from '../api/handlerParts';
import { makePlanHandlers } from '../api/planHandlers';
import { systemClock } from '../base/clock';
import { readPresets } from './presets';

const folder = join(__dirname, '..', '..', '..', 'assets', 'presets');
const presets = await readPresets(folder);

/** Documentation addresses: RFC 5737. */
const ofDocumentation = /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/;

it('has one for each well-known test and each kind of question', () => {
  expect(presets.map(({ name }) => name)).toEqual([
    'churn',
    'estimate',
    'find-my-limit',
    'livekit-rooms-of-7',
    'nginx-rtmp-steps',
    'openvidu-7-to-7',
    'smoke-10',
    'soak-1h',
    'spike',
    'srs-rtmp-steps',
    'streamhub-cctv',
    'streamhub-interactive',
    'streamhub-mass-event',
    'wcs-1-weak-servers',
    'wcs-2-strong-servers',
    'wcs-3-two-testers-720p',
  ]);
});

describe.each(presets.map((preset) => [preset.name, preset] as const))('%s', (_, { yaml, title, description }) => {
  const { plan, warnings } = parsePlan(yaml);

  it('is a plan without warnings, also after a round trip through YAML and the contract', () => {
    expect(warnings).toEqual([]);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planSchema.parse(plan)).toEqual(plan);
    expect(plan.name).toBe(title);
  });

  it('has a description and contains no names', () => {
    expect(description).toMatch(/^[A-Z].{30,230}\.$/);
    const addresses = yaml.match(/\d+\.\d+\.\d+\.\d+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !ofDocumentation.test(address))).toEqual([]);
  });
});

it('parses text for a window and reports where it is wrong', async () => {
  const handlers = makePlanHandlers({
    presetsFolder: folder,
    clock: systemClock,
  } as Partial<HandlerParts> as HandlerParts);
  const yaml = presets[0]?.yaml ?? '';
  expect(await handlers['plan.parse']({ yaml })).toEqual({ plan: parsePlan(yaml).plan, warnings: [] });
  expect(() => handlers['plan.parse']({ yaml: yaml.replace('hold: 30s', 'hold: 30') })).toThrow(
    /^Line 16, pull.stages.1.hold: 30 has no unit\./,
  );
  expect(await handlers['plan.presets']({})).toEqual(presets);
});

it('lists group, viewers and duration of each', () => {
  expect([...new Set(presets.map(({ group }) => group))].sort()).toEqual([
    'Any server',
    'OpenVidu',
    'RTMP servers',
    'StreamHub',
    'WCS',
  ]);
  const size = (wanted: string): unknown => presets.find(({ name }) => name === wanted)?.size;
  expect(size('smoke-10')).toEqual({ viewers: 10, lengthMs: 12_000 });
  expect(size('soak-1h')).toEqual({ viewers: 200, lengthMs: 3_640_000 });
  expect(size('find-my-limit')).toMatchObject({ viewers: 1000, isSearch: true });
  expect(size('livekit-rooms-of-7')).toMatchObject({ viewers: 700, isSearch: true });
  expect(size('streamhub-cctv')).toMatchObject({ viewers: 12, lengthMs: 302_000 });
});
