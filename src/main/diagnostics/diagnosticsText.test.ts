import { expect, it } from 'vitest';
import { settings } from '../../contract/shell';
import type { NodeView } from '../../domain/model/node';
import { SecretMask } from '../../domain/secrets/secretMask';
import { plantedSecrets, plantedView } from '../../../tests/support/plantedRun';
import { diagnosticsText, type DiagnosticsFacts } from './diagnosticsText';

const node: NodeView = {
  id: 'origin',
  name: 'origin',
  role: 'origin',
  colourSlot: 1,
  state: 'failed',
  problem: 'origin: login as qa with corvid-7 was refused.',
  software: 'SRS 7.0.1',
  reach: 'https://qa:jackdaw-8@srs.example/rtc?token=magpie-9',
  host: 'srs.example',
  streams: [],
  secrets: ['sshPassword'],
};
const facts: DiagnosticsFacts = {
  savedAt: '2026-11-26T03:00:00.000Z',
  versions: { fullhouse: '0.1.0' },
  system: { platform: 'linux' },
  settings: settings.parse({ updateAddress: 'https://qa:rook-10@updates.example/' }),
  nodes: [node],
  updates: null,
  crashFiles: ['a.log'],
  log: ['2026-11-26 error engine corvid-7 in "quotes" and Basic cWE6Y29ydmlkLTc='],
};

it('contains versions, settings, nodes and log, and no secret in any form', () => {
  const mask = new SecretMask();
  mask.add('corvid-7');
  const text = diagnosticsText(facts, mask);
  expect(JSON.parse(text)).toMatchObject({
    format: 'fullhouse-diagnostics 1',
    versions: { fullhouse: '0.1.0' },
    nodes: [{ name: 'origin', software: 'SRS 7.0.1', state: 'failed', secrets: ['sshPassword'] }],
    crashFiles: ['a.log'],
  });
  expect(text).toContain('srs.example');
  expect(text).toContain('updates.example');
  for (const secret of ['corvid', 'jackdaw', 'magpie', 'rook', 'Y29ydmlkLTc'])
    expect(text, secret).not.toContain(secret);
});

it('contains no credential of a planted run', () => {
  const mask = new SecretMask();
  mask.add(plantedSecrets.knownPassword);
  const log = [`login ${plantedSecrets.knownPassword} was refused`];
  const text = diagnosticsText({ ...facts, nodes: plantedView().nodes, log }, mask);
  for (const secret of Object.values(plantedSecrets)) expect(text).not.toContain(secret);
});

it('states why the nodes are unknown', () => {
  const text = diagnosticsText({ ...facts, nodes: 'The engine is not running.' }, new SecretMask());
  expect(JSON.parse(text)).toMatchObject({ nodes: 'The engine is not running.' });
});
