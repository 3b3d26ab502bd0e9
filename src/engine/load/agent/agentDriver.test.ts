import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentRecord } from '../../../contract/agentProtocol';
import { testerValues } from './agentDriver';

const fixture = join(__dirname, '../../../../tests/fixtures/agent-protocol/sample-record-audience.json');

it('what an agent knows of its machine becomes series, and what it does not tell none', () => {
  const record = agentRecord.parse(JSON.parse(readFileSync(fixture, 'utf8')));
  const tester = record.kind === 'sample' ? record.sample.tester : undefined;
  expect(testerValues(tester ?? {})).toEqual({
    testerHostCpuPercent: 38.5,
    testerReaderBusyPercent: 12.4,
    testerReaderWaitPercent: 1.8,
    testerSocketDropsPerSecond: 0,
    testerReceiveBufferErrorsPerSecond: 12,
    testerOpenFilesLimit: 20_000,
    testerMemoryAvailablePercent: 87.5,
    testerNetworkPercent: 12.7,
    testerNetworkDropsPerSecond: 0,
    testerFailedHere: 1,
  });
  expect(Object.values(testerValues({ failedHere: 3 })).filter((value) => value !== undefined)).toEqual([3]);
});
