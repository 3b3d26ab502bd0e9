import type { MetricSample } from './metrics';

export function parseExposition(text: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!match || line.startsWith('#')) return [];
    const labels = Object.fromEntries(
      [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((each) => [
        each[1] ?? '',
        each[2] ?? '',
      ]),
    );
    return [{ name: match[1] ?? '', labels, value: Number(match[3]) }];
  });
}
