import { describe, expect, it } from 'vitest';
import { Matcher } from './matcher';
import { scopeOf } from './programWords';

function matcher(...writings: string[]): (text: string) => string {
  const made = new Matcher<string>();
  for (const writing of writings) made.add(writing, scopeOf(writing), `<${writing}>`);
  return (text) => made.replace(text, (_, value) => value);
}

describe('matching many texts in one', () => {
  it('ignores case and prefers the longest match', () => {
    const replace = matcher('acme', 'acme-media', 'acme-media.example.com');
    expect(replace('ACME-media.example.com, acme-media and Acme')).toBe(
      '<acme-media.example.com>, <acme-media> and <acme>',
    );
  });
  it('matches short texts only as separate words, and distinctive ones within words', () => {
    const replace = matcher('cam', 'finalmatch');
    expect(replace('cam, cam_1, camera, webcam; my_finalmatch2')).toBe(
      '<cam>, <cam>_1, camera, webcam; my_<finalmatch>2',
    );
  });
  it('matches program words only in quotes and addresses', () => {
    const replace = matcher('live', '7');
    expect(replace('The run is live: "live" on /app/live?x=7, "7" of 7; live')).toBe(
      'The run is live: "<live>" on /app/<live>?x=<7>, "<7>" of 7; live',
    );
  });
  it('does not match a part of a longer address', () => {
    const replace = matcher('10.0.0.1', '2001:db8::1');
    expect(replace('10.0.0.1. 10.0.0.11 110.0.0.1 10.0.0.1:80 9.10.0.0.1 2001:db8::1 2001:db8::12')).toBe(
      '<10.0.0.1>. 10.0.0.11 110.0.0.1 <10.0.0.1>:80 9.10.0.0.1 <2001:db8::1> 2001:db8::12',
    );
  });
  it('keeps positions next to letters that get longer in lower case', () => {
    expect(matcher('jane.doe')('İİ jane.doe İ')).toBe('İİ <jane.doe> İ');
  });
});
