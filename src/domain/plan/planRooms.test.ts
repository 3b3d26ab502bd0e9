import { describe, expect, it } from 'vitest';
import { parsePlan, planToYaml } from './planYaml';
import { numberedName } from './pullRules';
import { faultOf, plain } from '../../../tests/support/plans';

const inRooms = (rooms: string, profile = 'viewers: 21, rate: 7/s, hold: 10s'): string =>
  plain.replace(/viewers: .*hold: 10s/, `${profile}, protocol: livekit, rooms: ${rooms}`);

describe('rooms in a plan', () => {
  it('are read, and written again', () => {
    const { plan } = parsePlan(inRooms('{ size: 7 }'));
    expect(plan.pull).toMatchObject({ viewers: 21, rooms: { size: 7, source: 'sample-240p' } });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    const search = inRooms('{ size: 5, source: /media/talk.h264 }', 'rate: 5/s, search: { from: 5, max: 100 }');
    expect(parsePlan(search).plan.pull).toMatchObject({
      viewers: 100,
      rooms: { size: 5, source: '/media/talk.h264' },
    });
  });

  it.each([
    ['{ size: 1 }', undefined, '1 is less than 2.'],
    ['{ size: 51 }', undefined, '51 participants are too many for one room; the maximum is 50.'],
    ['{}', undefined, '"size" is missing.'],
    ['{ size: 4 }', undefined, '21 participants do not fill rooms of 4. Write a multiple of 4, e.g. 24.'],
    ['{ size: 7 }', 'rate: 7/s, search: { from: 7, max: 50 }', '50 participants do not fill rooms of 7.'],
    ['{ size: 7 }', 'stages: [{ ramp: 7, over: 5s }]', 'Rooms have no stages.'],
  ])('%s with %s is refused', (rooms, profile, sentence) => {
    expect(faultOf(inRooms(rooms, profile)).sentence).toContain(sentence);
  });

  it('are refused for other protocols', () => {
    expect(faultOf(inRooms('{ size: 7 }').replace('livekit', 'whep')).sentence).toContain(
      'Only LiveKit has rooms, whep does not.',
    );
  });

  it('have names with their number', () => {
    expect(numberedName('talk', 3)).toBe('talk-3');
    expect(numberedName('{n}. talk {n}', 12)).toBe('12. talk 12');
  });
});

describe('several streams in a plan', () => {
  const several = plain
    .replace('hold: 10s', 'hold: 10s, streams: 3')
    .replace('stream: cam, from', 'stream: "c-{n}", from');

  it('are read, and known if they are published', () => {
    expect(parsePlan(several).plan.pull?.streams).toBe(3);
    expect(parsePlan(several).warnings.join()).toContain('does not publish "c-{n}"');
  });

  it('are refused together with rooms', () => {
    const both = several.replace('streams: 3', 'streams: 3, protocol: livekit, rooms: { size: 2 }');
    expect(faultOf(both).sentence).toContain('Rooms have numbers already.');
  });
});
