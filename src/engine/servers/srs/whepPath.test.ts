import { expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HttpRequest, HttpResponse } from '../../links/http/httpLink';
import { srsAddresses, defaultPorts } from './srsAddresses';
import { findWhepPath } from './whepPath';

/** As 6.0.48 answers every path that it does not have. */
const root =
  '{"code":0,"server":"vid-s3ufu3i","service":"h685fwht","pid":"25132","urls":{"api":"the api root","rtc":{"v1":{"play":"Play stream","publish":"Publish stream","nack":"Simulate the NACK"}}}}';
const asked: string[] = [];
const answering = (body: string | undefined) => ({
  request: ({ url }: HttpRequest): Promise<HttpResponse> => {
    asked.push(url);
    // A path that it has closes the connection, since the request has no offer.
    if (body === undefined) return Promise.reject(new FullhouseError('closed', 'The connection was closed.'));
    return Promise.resolve({ status: 200, headers: {}, body, tookMs: 1 });
  },
});
const find = (body: string | undefined, major: number) => findWhepPath(answering(body), 'http://srs:1985', major, 100);

it('is the one that this SRS has', async () => {
  expect(await find(root, 6)).toBe('whip-play');
  expect(await find(undefined, 6)).toBe('whep');
  expect(await find('{"code":400}', 5)).toBe('whep');
  expect(await find('<html>', 6)).toBe('whep');
  expect(new Set(asked)).toEqual(new Set(['http://srs:1985/rtc/v1/whep/']));
  asked.length = 0;
  expect(await find(root, 7)).toBe('whep');
  expect(asked).toEqual([]);
});

it('is that of the addresses of streams', () => {
  const { play } = srsAddresses(
    { server: 'srs' },
    'http://srs:1985',
    { ...defaultPorts, whepPath: 'whip-play' },
    'cam',
  );
  expect(play.whep).toBe('http://srs:1985/rtc/v1/whip-play/?app=live&stream=cam');
});
