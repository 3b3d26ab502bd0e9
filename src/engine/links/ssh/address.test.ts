import { describe, expect, it } from 'vitest';
import { hostAndPort, knownHostsName, parseSshAddress } from './address';

describe('an SSH address', () => {
  it.each([
    ['box', { host: 'box' }],
    [' box.example:2222 ', { host: 'box.example', port: 2222 }],
    ['me@box', { user: 'me', host: 'box' }],
    ['me@10.0.0.1:22', { user: 'me', host: '10.0.0.1', port: 22 }],
    ['me@corp.example@box', { user: 'me@corp.example', host: 'box' }],
    ['::1', { host: '::1' }],
    ['fe80::1%eth0', { host: 'fe80::1%eth0' }],
    ['me@[2001:db8::1]:2222', { user: 'me', host: '2001:db8::1', port: 2222 }],
    ['[2001:db8::1]', { host: '2001:db8::1' }],
    ['ssh://me@box:22/', { user: 'me', host: 'box', port: 22 }],
  ])('reads %s', (text, address) => {
    expect(parseSshAddress(text)).toEqual(address);
  });

  it.each([
    ['', 'it is empty'],
    ['@box', 'the user before @ is missing'],
    ['me@', 'the host is missing'],
    ['box:', '"" is not a port'],
    ['box:0', '"0" is not a port'],
    ['box:65536', '"65536" is not a port'],
    ['box:22x', '"22x" is not a port'],
    ['-oProxyCommand=id', 'is not a valid host name'],
    ['box;id', 'is not a valid host name'],
    ['a b@box', 'is not a valid user name'],
    ['-l@box', 'is not a valid user name'],
    ['http://box', 'it is a URL of another kind'],
  ])('rejects %s', (text, why) => {
    expect(() => parseSshAddress(text)).toThrow(why);
  });

  it('is written for known_hosts and for messages', () => {
    expect(knownHostsName('Box', 22)).toBe('box');
    expect(knownHostsName('::1', 2222)).toBe('[::1]:2222');
    expect(hostAndPort('::1', 22)).toBe('[::1]:22');
    expect(hostAndPort('box', 22)).toBe('box:22');
  });
});
