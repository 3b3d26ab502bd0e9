import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seriesPage } from './seriesPage';

it('docs/series.md is the page of the series; if not: npx vitest run --project unit src/domain/series -u', async () => {
  const docs = join(__dirname, '..', '..', '..', 'docs');
  await expect(seriesPage()).toMatchFileSnapshot(join(docs, 'series.md'));
});
