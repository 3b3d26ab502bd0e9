import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import { openHttpLink } from '../../links/http/openHttpLink';
import { srsApi } from './srsApi';

it("SRS's HTTP server, which answers `versions` only, is named with the address of the API", async () => {
  const server = createServer((request, response) => {
    const isVersions = request.url === '/api/v1/versions';
    response.statusCode = isVersions ? 200 : 404;
    response.end(isVersions ? '{"code":0,"data":{"major":7,"minor":0,"revision":18,"version":"7.0.18"}}' : 'Not Found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = openHttpLink({ who: 'origin', clock: systemClock });
  try {
    const api = srsApi(http, 'origin', base);
    expect((await api.versions()).data.version).toBe('7.0.18');
    await expect(api.summaries()).rejects.toThrow(
      `origin: ${new URL(base).host} is SRS's HTTP server, without the API (HTTP 404 for summaries); ` +
        "change the node's API address, usually http://127.0.0.1:1985.",
    );
  } finally {
    http.close();
    server.close();
  }
});
