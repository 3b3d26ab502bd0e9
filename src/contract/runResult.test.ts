import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runResultPage } from './runResultPage';

const docs = join(__dirname, '..', '..', 'docs');

it('is documented with every field; after a change: npx vitest run --project unit src/contract/runResult -u', async () => {
  await expect(runResultPage()).toMatchFileSnapshot(join(docs, 'result.md'));
});
