import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { viewerDetail, viewerRow, type AudienceViewer } from './viewerSchemas';

const result = (name: string): unknown =>
  (
    JSON.parse(readFileSync(join(__dirname, '../../tests/fixtures/agent-protocol', name), 'utf8')) as {
      result: unknown;
    }
  ).result;

it('a viewer reaches the window and the run file with every field that its agent sent', () => {
  const { viewer, ...detail } = result('audience-viewer-response.json') as { viewer: AudienceViewer };
  const { viewers } = result('audience-viewers-response.json') as { viewers: AudienceViewer[] };
  expect(viewerDetail.parse(detail)).toEqual(detail);
  for (const each of [viewer, ...viewers]) {
    const row = { ...each, tester: 'one', job: 'pull-1', detail };
    expect(viewerRow.parse(row)).toEqual(row);
  }
});
