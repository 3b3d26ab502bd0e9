import { describe, expect, it } from 'vitest';
import { linksIn, parseAppLink } from './appLink';

describe('a fullhouse:// link', () => {
  it.each([
    ['fullhouse://plan?file=/home/qa/a%20plan.yaml', { kind: 'plan', file: '/home/qa/a plan.yaml' }],
    ['fullhouse://plan/?file=/p.yml', { kind: 'plan', file: '/p.yml' }],
    ['fullhouse://run?file=%2Fruns%2F1.fullhouse', { kind: 'run', file: '/runs/1.fullhouse' }],
    ['FULLHOUSE://run?file=/runs/../r/1.FULLHOUSE', { kind: 'run', file: '/r/1.FULLHOUSE' }],
  ])('%s names a file', (text, link) => {
    expect(parseAppLink(text, 'linux')).toEqual(link);
  });

  it.each([
    ['https://plan?file=/p.yaml', /not a fullhouse/],
    ['fullhouse:plan?file=/p.yaml', /Expected/],
    ['fullhouse://start?file=/p.yaml', /Expected/],
    ['fullhouse://plan', /Expected/],
    ['fullhouse://plan?file=', /Expected/],
    ['fullhouse://plan?url=https://evil.example/p.yaml', /Expected/],
    ['fullhouse://plan?file=/p.yaml&file=/q.yaml', /Expected/],
    ['fullhouse://plan?file=/p.yaml&start=1', /Expected/],
    ['fullhouse://plan/run?file=/p.yaml', /Expected/],
    ['fullhouse://qa:x@plan?file=/p.yaml', /Expected/],
    ['fullhouse://plan:80?file=/p.yaml', /Expected/],
    ['fullhouse://plan?file=/p.yaml#run', /Expected/],
    ['fullhouse://plan?file=/p%0A.yaml', /Expected/],
    ['fullhouse://plan?file=/p%E2%80%AElmay.yaml', /Expected/],
    [`fullhouse://plan?file=/${'a'.repeat(9000)}.yaml`, /not a fullhouse/],
    ['fullhouse://plan?file=p.yaml', /absolute path/],
    ['fullhouse://plan?file=//server/share/p.yaml', /absolute path/],
    ['fullhouse://plan?file=https://evil.example/p.yaml', /absolute path/],
    ['fullhouse://plan?file=/etc/passwd', /ends in \.yaml or \.yml/],
    ['fullhouse://run?file=/p.yaml', /ends in \.fullhouse/],
  ])('%s is refused', (text, reason) => {
    expect(() => parseAppLink(text, 'linux')).toThrow(reason);
    expect(() => parseAppLink(text, 'linux')).toThrow(/^The link was not opened\. /);
  });

  it('has paths of Windows there', () => {
    expect(parseAppLink('fullhouse://plan?file=C:%5Cqa%5Cp.yaml', 'win32')).toEqual({
      kind: 'plan',
      file: 'C:\\qa\\p.yaml',
    });
    for (const file of ['%5C%5Cserver%5Cshare%5Cp.yaml', '%5C%5C%3F%5CC:%5Cp.yaml', 'C:p.yaml'])
      expect(() => parseAppLink(`fullhouse://plan?file=${file}`, 'win32')).toThrow(/absolute path/);
  });

  it('is found among arguments', () => {
    expect(
      linksIn(['--no-sandbox', 'a.fullhouse', 'fullhouse://run?file=/r', 'Fullhouse:x', 'https://fullhouse']),
    ).toEqual(['fullhouse://run?file=/r', 'Fullhouse:x']);
  });
});
