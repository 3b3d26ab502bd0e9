import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plain } from '../../../tests/support/plans';
import { parsePlan } from '../plan/planYaml';
import { exampleNodesFault, examplePlanFault, isExampleAddress } from './exampleAddress';

it.each([
  '192.0.2.1',
  'qa@198.51.100.7:22',
  'http://203.0.113.9:8081/x',
  'http://3221225985/',
  'http://0xc0000201:80/',
  'http://0300.0.2.1/',
  'http://%65xample.com/',
  'qa@192.0.513',
  'http://[2001:db8:0:0:0:0:192.0.2.1]/',
  'qa@[2001:db8::1]:22',
  '2001:db8::1',
  'http://[2001:0DB8:0:0::9]/',
  'http://[3fff::1]/',
  'http://[3fff:fff::1]/',
  'http://[::ffff:192.0.2.1]/',
  'http://[64:ff9b::c633:6401]/',
  'example.com',
  'EXAMPLE.org.',
  'qa@a.b.example.net',
  'rtmp://srs.example/live/{stream}',
  'wss://x.example:8443',
  'host.invalid:22',
  'turn:turn.example:3478?transport=tcp',
  'https://me:pass@lk.example.org',
  'http://ｅxample.com/',
  'ssh://qa@192.0.2.1',
])('%s is an address of documentation', (address) => expect(isExampleAddress(address)).toBe(true));

it.each([
  '10.0.0.9',
  '192.0.3.1',
  '192.0.20.1',
  '3221225472',
  '256.0.2.1',
  '[::]:22',
  'a::b::c',
  'http://[3fff:1000::1]/',
  'http://[2001:db80::1]/',
  'http://[::ffff:10.0.2.1]/',
  'example.company',
  'myexample.com',
  'example.com.acme.io',
  'http://wcs.acme.io/?from=example.com',
  'http://wcs.acme.io/192.0.2.1',
  'example@wcs.acme.io',
  'lab.test',
  'tester-1',
  '',
  'fe80::1%eth0',
])('%s is none', (address) => expect(isExampleAddress(address)).toBe(false));

it('names one node, or all of several in one sentence, and no password', () => {
  expect(exampleNodesFault({ 'tester-1': { tester: 'ssh', ssh: 'qa@192.0.2.11' } })).toBe(
    'Replace the address of tester-1 (qa@192.0.2.11): it is an example of documentation, so nothing is contacted.',
  );
  expect(
    exampleNodesFault({
      origin: { server: 'srs', url: 'http://10.0.0.7', metrics: 'http://srs.example/metrics' },
      a: { tester: 'local' },
      b: { tester: 'ssh', ssh: 'qa@10.0.0.8', jump: 'gate,qa@gate.example' },
      c: { tester: 'ssh', hosts: ['10.0.0.1', 'example.org'] },
    }),
  ).toMatch(
    /^Replace the addresses of origin \(http:\/\/srs\.example\/metrics\), b \(qa@gate\.example\) and c \(example\.org\): /,
  );
  expect(exampleNodesFault({ x: { server: 'generic', rtsp: 'rtsp://me:planted@cam.example/' } })).not.toContain(
    'planted',
  );
  expect(exampleNodesFault({ x: { server: 'lab' } })).toBeUndefined();
});

it('finds what a plan contacts beside its nodes', () => {
  const { plan } = parsePlan(
    plain.replace('qa@192.0.2.12', 'qa@10.0.0.12').concat('hooks: [{ at: end, post: "https://hook.example/x" }]\n'),
  );
  expect(examplePlanFault(plan)).toMatch(/^Replace the address of the hook at end \(https:\/\/hook\.example\/x\): /);
});

const presets = join(__dirname, '..', '..', '..', 'assets', 'presets');
it.each(readdirSync(presets).filter((file) => file.endsWith('.yaml')))('%s is refused until it is edited', (file) => {
  const yaml = readFileSync(join(presets, file), 'utf8');
  const { plan } = parsePlan(yaml);
  const fault = examplePlanFault(plan) ?? '';
  for (const name of Object.keys(plan.nodes)) expect(fault).toContain(`${name} (`);
});
