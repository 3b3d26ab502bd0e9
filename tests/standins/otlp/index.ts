import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { exportRequest, type ExportRequest, type ReceivedMetric } from './received';

/** How to answer a request; by default it is accepted as a whole. */
export interface OtlpAnswer {
  /** An HTTP status that refuses it. */
  readonly refused?: { readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string };
  /** It is accepted except for some values. */
  readonly partial?: { readonly rejected: number; readonly message: string };
}

export interface OtlpReceiver {
  readonly url: string;
  /** Every request: its headers, and what it contained. */
  readonly requests: ReadonlyArray<{
    readonly headers: IncomingHttpHeaders;
    readonly request: ExportRequest;
    readonly answer: OtlpAnswer;
  }>;
  /** What was wrong with requests. */
  readonly faults: readonly string[];
  close(): void;
}

const types = { protobuf: 'application/x-protobuf', json: 'application/json' };

/**
 * A receiver of OTLP/HTTP metrics as the specification describes it: protobuf and JSON, gzip, partial success, and
 * refusals with `Retry-After` and a status message. `answer` decides on each request by its number, from 0.
 */
export async function startOtlpReceiver(
  answer: (place: number, headers: IncomingHttpHeaders) => OtlpAnswer = () => ({}),
): Promise<OtlpReceiver> {
  const root = await protobuf.load(join(__dirname, '..', '..', 'support', 'proto', 'otlp.proto'));
  const [input, output, status] = ['ExportMetricsServiceRequest', 'ExportMetricsServiceResponse', 'Status'].map(
    (name) => root.lookupType(`otlp.${name}`),
  ) as [protobuf.Type, protobuf.Type, protobuf.Type];
  const faults: string[] = [];
  const requests: Array<OtlpReceiver['requests'][number]> = [];
  const server = createServer((message, response) => {
    void bodyOf(message).then((body) => {
      const type = message.headers['content-type']?.split(';')[0] ?? '';
      const isJson = type === types.json;
      const end = (code: number, form: protobuf.Type, value: Record<string, unknown>): void => {
        response.writeHead(code, { 'Content-Type': isJson ? types.json : types.protobuf });
        response.end(isJson ? JSON.stringify(value) : form.encode(form.fromObject(value)).finish());
      };
      if (message.url !== '/v1/metrics') return end(404, status, { message: 'No such path.' });
      if (message.method !== 'POST') return end(405, status, { message: 'Only POST is allowed.' });
      if (!Object.values(types).includes(type)) return end(415, status, { message: `${type} is not supported.` });
      let request: ExportRequest;
      try {
        const decoded: unknown = isJson
          ? JSON.parse(body.toString())
          : input.toObject(input.decode(body), { longs: String, enums: String });
        request = exportRequest.parse(decoded);
      } catch (error) {
        faults.push((error as Error).message);
        return end(400, status, { code: 3, message: (error as Error).message });
      }
      const given = answer(requests.length, message.headers);
      requests.push({ headers: message.headers, request, answer: given });
      const { refused, partial } = given;
      if (refused?.retryAfterSeconds !== undefined) response.setHeader('Retry-After', refused.retryAfterSeconds);
      if (refused) return end(refused.status, status, { code: 14, message: refused.message ?? 'Unavailable.' });
      return end(
        200,
        output,
        partial ? { partialSuccess: { rejectedDataPoints: partial.rejected, errorMessage: partial.message } } : {},
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    faults,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** All metrics of a request. */
export const metricsOf = ({ resourceMetrics }: ExportRequest): readonly ReceivedMetric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return message.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
