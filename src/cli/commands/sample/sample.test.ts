import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../../tests/support/typedCommand';
import { audioArgs, sampleCodecs, videoArgs, type SampleCodec } from './sampleRecipe';

const read = (...args: string[]): ReturnType<typeof typedCommand> => typedCommand(['sample', ...args]);

describe('fullhouse sample', () => {
  it('has usual values', () => {
    const usual = { command: 'sample', codec: 'h264', width: 1280, height: 720, kbps: 1500, seconds: 12, out: '.' };
    expect(read()).toEqual(usual);
    expect(
      read('--codec', 'av1', '--size', '640x360', '--kbps', '400', '--seconds', '4', '--out', 'media'),
    ).toMatchObject({ codec: 'av1', width: 640, height: 360, kbps: 400, seconds: 4, out: 'media' });
  });

  it.each([
    [['--codec', 'h263'], 'Unknown codec "h263". Codecs: h264, h265, vp8, vp9, av1.'],
    [['--codec', 'toString'], 'Unknown codec'],
    [['--size', '641x360'], '--size is "641x360"'],
    [['--size', '1280'], '--size is "1280"'],
    [['--kbps', '1e9'], '--kbps is "1e9"; it must be 20 to 100000.'],
    [['--seconds', '2.5'], '--seconds is "2.5"'],
    [['clip'], 'Unexpected argument "clip".'],
    [['--json'], '"sample" has no option --json.'],
  ])('refuses %j', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence);
  });

  it('makes video and audio of the same length', () => {
    const seconds = 4;
    for (const codec of Object.keys(sampleCodecs) as SampleCodec[]) {
      const sample = { codec, width: 640, height: 360, kbps: 400, seconds };
      const args = videoArgs(sample, '/a/font.ttf', 'file');
      expect(args.join(' ')).toMatch(/testsrc2=s=640x360:r=25:d=4 .*drawtext=fontfile=\/a\/font.ttf.*-b:v 400k/);
      expect(videoArgs(sample, undefined, 'file').join(' ')).not.toContain('drawtext');
    }
    expect(audioArgs(seconds, 'file').join(' ')).toContain('-frame_duration 20');
    expect(audioArgs(seconds, 'file').join(' ')).toContain('-frames:a 200 ');
  });
});
