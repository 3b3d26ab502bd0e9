import { describe, expect, it } from 'vitest';
import { identityOf, isOlder, versionOf } from './identity';
import { parseJsonFormat, parseTextFormat } from './statistics/detectFormat';
import type { WcsStatistics } from './statistics/statistics';
import { restBase } from './wcsRest';

function statistics(version?: string): WcsStatistics {
  const read = parseJsonFormat(
    JSON.stringify({
      core_stats: { core_threads: 1, core_java_version: '17.0.15', server_version: version },
    }),
  );
  if (!read) throw new Error('These statistics have to be readable.');
  return read;
}

describe('the version of a WCS', () => {
  it("is read from a parameter and not mistaken for Java's", () => {
    expect(versionOf(statistics())).toBeUndefined();
    expect(versionOf(statistics('WCS 5.2.1999-abc'))).toBe('5.2.1999');
  });

  it('is compared numerically', () => {
    expect(isOlder('5.2.99', '5.2.923')).toBe(true);
    expect(isOlder('5.2.1439', '5.2.923')).toBe(false);
    expect(isOlder('5.2', '5.2.0')).toBe(false);
    expect(isOlder('5.1.3344', '5.2')).toBe(true);
  });
});

describe('remarks about a version', () => {
  it('are none when it supports everything needed', () => {
    expect(identityOf('wcs-1', statistics('5.2.1999'), [], true)).toEqual({
      software: 'WCS 5.2.1999',
      remarks: [],
      process: 'java',
    });
    expect(identityOf('wcs-1', statistics(), [], true)).toMatchObject({ software: 'WCS', remarks: [] });
  });

  it('are one sentence per missing feature', () => {
    const older = identityOf('wcs-1', statistics('5.2.700'), [], true);
    expect(older.remarks).toEqual([
      'wcs-1 runs WCS 5.2.700 and does not report bitrate and frame rate of its streams; WCS 5.2.923 or newer does.',
    ]);
    const text = parseTextFormat('-Core\ncore_threads=1\n');
    const unknown = text && identityOf('wcs-1', text, [], false);
    expect(unknown?.remarks).toHaveLength(2);
    expect(unknown?.remarks?.[1]).toContain('plain text only');
  });
});

describe('the address of the REST API', () => {
  it.each([
    ['http://origin:8081', 'http://origin:8081'],
    ['origin:8081', 'http://origin:8081'],
    ['http://origin:8081/', 'http://origin:8081'],
    ['http://origin:8081/?action=stat&format=json', 'http://origin:8081'],
    ['http://origin:8081/rest-api/stream/find_all', 'http://origin:8081'],
    ['https://proxy/wcs-1/rest-api', 'https://proxy/wcs-1'],
  ])('is found in %s', (typed, base) => {
    expect(restBase(typed)).toBe(base);
  });

  it('is required with one sentence when missing', () => {
    expect(() => restBase('http://')).toThrow('"http://" is not a WCS address; it is usually http://HOST:8081.');
  });
});
