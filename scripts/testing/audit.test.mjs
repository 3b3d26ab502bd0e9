import { expect, it } from 'vitest';
import { readAudit } from './audit.mjs';

const reportOf = (severity) =>
  JSON.stringify({
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 1, critical: 0 } },
    vulnerabilities: { tmp: { name: 'tmp', severity, range: '<=0.2.3' } },
  });

it('an audit names packages with high and critical findings only', () => {
  for (const severity of ['high', 'critical'])
    expect(readAudit(reportOf(severity))).toEqual([`tmp <=0.2.3: ${severity}. Update it, or replace it.`]);
  for (const severity of ['low', 'moderate']) expect(readAudit(reportOf(severity))).toEqual([]);
});

it('an audit without a report is undefined', () => {
  for (const text of ['', 'not found', '{}', '{"error":{"code":"ENOAUDIT"}}']) expect(readAudit(text)).toBeUndefined();
});
