import { join } from 'node:path';
import { expect, it } from 'vitest';
import { metricNamesPage } from './metricNamesPage';

it('docs/metric-names.md is the page of the metrics; if not: npx vitest run --project unit src/domain/series -u', async () => {
  const docs = join(__dirname, '..', '..', '..', 'docs');
  await expect(metricNamesPage()).toMatchFileSnapshot(join(docs, 'metric-names.md'));
});
