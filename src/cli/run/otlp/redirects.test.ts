import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { afterEach, expect, it } from 'vitest';
import { resourceMetricsOf } from './resourceMetrics';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`;
}

it('a receiver can send metrics and headers to no other port of its host', async () => {
  const received: unknown[] = [];
  const other = await serve((request, response) => {
    received.push(request.headers);
    response.end();
  });
  const asked: unknown[] = [];
  const url = await serve((request, response) => {
    asked.push(request.headers['x-key']);
    response.writeHead(307, { Location: other }).end();
  });
  const exporter = new OTLPMetricExporter({ url, headers: { 'X-Key': 'planted' } });
  ends.push(() => void exporter.shutdown());
  const times = { version: '1', startMs: 0, nowMs: 1000 };
  const code = await new Promise((resolve) =>
    exporter.export(resourceMetricsOf([], resourceFromAttributes({}), times), (result) => resolve(result.code)),
  );
  expect(code).toBe(ExportResultCode.FAILED);
  expect(asked).toEqual(['planted']);
  expect(received).toEqual([]);
});
