import { command, form } from '../command';
import { readInconclusiveIs, runExitCodes } from '../exitCodes';
import {
  defaultOut,
  file,
  inconclusiveIs,
  json,
  junit,
  out,
  planChoices,
  planOptions,
  planOrPreset,
  preset,
  text,
  withDefault,
} from '../options';
import { withPresetFile } from '../presetFile';
import { runPlan } from '../run/runPlan';
import { UsageError } from '../usageError';

export const run = command({
  name: 'run',
  operand: 'plan',
  options: {
    out: withDefault(out, defaultOut),
    json,
    preset,
    ...planOptions,
    metrics: text(
      '[ADDRESS:]PORT',
      "expose the run's metrics to Prometheus at http://127.0.0.1:PORT/metrics; other addresses require the token in FULLHOUSE_METRICS_TOKEN",
    ),
    otlp: text(
      'URL',
      "send the run's metrics to an OpenTelemetry receiver (OTLP/HTTP), e.g. http://127.0.0.1:4318; headers and certificates are read from OTEL_EXPORTER_OTLP_HEADERS and the like",
    ),
    junit,
    markdown: file('write the result as Markdown'),
    'inconclusive-is': inconclusiveIs,
  },
  forms: [
    form(
      'PLAN.yaml [--out DIR] [--json] [--set a.b=c ...]',
      `run a plan; save the run and its report in DIR (${defaultOut})`,
    ),
    form('--preset NAME --set nodes.origin.whep=URL ...', 'run a preset with your own addresses'),
  ],
  examples: [
    'run plans/pull-1000-lab.yaml --set pull.viewers=200 --set pull.hold=10s',
    'run --preset smoke-10 --set nodes.origin.whep=http://10.0.0.9:8080/whep --yes --json',
  ],
  exitCodes: runExitCodes,
  read: (args) => {
    const { values } = args;
    return {
      ...planOrPreset(values.preset, args),
      out: values.out,
      json: values.json,
      ...planChoices(values),
      metrics: readMetrics(values.metrics),
      otlp: readOtlp(values.otlp),
      junit: values.junit,
      markdown: values.markdown,
      inconclusiveIs: readInconclusiveIs(values['inconclusive-is']),
    };
  },
  run: (input, installation) => runPlan(withPresetFile(input, installation), installation),
});

/** `9464`, `0.0.0.0:9464` or `[::]:9464`. */
function readMetrics(
  text: string | undefined,
): { readonly port: number; readonly bind: string | undefined } | undefined {
  if (text === undefined) return undefined;
  const [, bind, digits] = /^(?:(\[[0-9a-f:.]+\]|[^:]+):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new UsageError(`--metrics "${text}" is not a port; write it like 9464, or 0.0.0.0:9464.`);
  return { port, bind };
}

/** Address of an OTLP/HTTP receiver, to which the path of metrics is added as the specification says. */
function readOtlp(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError('--otlp is not an address; write it like http://HOST:4318.');
  }
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError('--otlp must be an HTTP address; write it like http://HOST:4318.');
  if (url.username || url.password)
    throw new UsageError(
      'Set the credentials in OTEL_EXPORTER_OTLP_HEADERS: in an address they are visible to every user of this machine.',
    );
  if (!url.pathname.endsWith('/v1/metrics')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/metrics`;
  return url.href;
}
