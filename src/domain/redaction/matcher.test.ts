import { describe, expect, it } from 'vitest';
import { Matcher } from './matcher';
import { reachOf } from './words';

function matcher(...writings: string[]): (text: string) => string {
  const made = new Matcher<string>();
  for (const writing of writings) made.add(writing, reachOf(writing), `<${writing}>`);
  return (text) => made.replace(text, (_, value) => value);
}

describe('many texts in another', () => {
  it('are found whatever their case, the longest first', () => {
    const replace = matcher('acme', 'acme-media', 'acme-media.example.com');
    expect(replace('ACME-media.example.com, acme-media and Acme')).toBe(
      '<acme-media.example.com>, <acme-media> and <acme>',
    );
  });
  it('stand by themselves when they are short, and within words when they can be nobody else', () => {
    const replace = matcher('cam', 'finalmatch');
    expect(replace('cam, cam_1, camera, webcam; my_finalmatch2')).toBe(
      '<cam>, <cam>_1, camera, webcam; my_<finalmatch>2',
    );
  });
  it('are names only in quotes and addresses when they are words of ours', () => {
    const replace = matcher('live', '7');
    expect(replace('The run is live: "live" on /app/live?x=7, "7" of 7; live')).toBe(
      'The run is live: "<live>" on /app/<live>?x=<7>, "<7>" of 7; live',
    );
  });
  it('are no part of a longer address', () => {
    const replace = matcher('10.0.0.1', '2001:db8::1');
    expect(replace('10.0.0.1. 10.0.0.11 110.0.0.1 10.0.0.1:80 9.10.0.0.1 2001:db8::1 2001:db8::12')).toBe(
      '<10.0.0.1>. 10.0.0.11 110.0.0.1 <10.0.0.1>:80 9.10.0.0.1 <2001:db8::1> 2001:db8::12',
    );
  });
  it('keep their places beside letters that grow in lower case', () => {
    expect(matcher('jane.doe')('İİ jane.doe İ')).toBe('İİ <jane.doe> İ');
  });
});
