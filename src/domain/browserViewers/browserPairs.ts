import type { BrowserViewersResult } from '../model/browserViewers';

/** One figure of the browser viewers beside that of the audience. */
export interface BrowserPair {
  readonly name: string;
  readonly browsers: number | undefined;
  readonly audience: number | undefined;
  /** Decimals of both. */
  readonly digits: number;
  readonly difference: number | undefined;
  /** Unit of the difference: percent of the audience's figure, percentage points, or ms. */
  readonly unit: '%' | 'pp' | 'ms';
}

/** The rows of the comparison, for the window and for reports; none before a browser viewer has displayed a picture. */
export function browserPairs({ watched, browsers, audience }: BrowserViewersResult): readonly BrowserPair[] {
  if (watched === 0) return [];
  const by = (
    field: keyof typeof browsers,
    result: (browser: number, other: number) => number | undefined,
  ): number | undefined => {
    const [browser, other] = [browsers[field], audience[field]];
    return browser === undefined || other === undefined ? undefined : result(browser, other);
  };
  const pairs: readonly BrowserPair[] = [
    {
      name: 'Frame rate, fps',
      ...{ browsers: browsers.frameRate, audience: audience.frameRate, digits: 1, unit: '%' },
      difference: by('frameRate', (browser, other) =>
        other > 0 ? (100 * Math.abs(browser - other)) / other : undefined,
      ),
    },
    {
      name: 'Degraded, %',
      ...{ browsers: browsers.degradedPercent, audience: audience.degradedPercent, digits: 1, unit: 'pp' },
      difference: by('degradedPercent', (browser, other) => Math.abs(browser - other)),
    },
    {
      name: 'First frame p50, ms',
      ...{ browsers: browsers.firstFrameP50Ms, audience: audience.firstFrameP50Ms, digits: 0, unit: 'ms' },
      difference: by('firstFrameP50Ms', (browser, other) => Math.abs(browser - other)),
    },
  ];
  return pairs.filter((pair) => pair.browsers !== undefined || pair.audience !== undefined);
}
