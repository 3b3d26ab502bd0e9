import { z } from 'zod';
import { browserViewersResult } from '../domain/model/browserViewers';
import { limitFound } from '../domain/model/limitFound';
import { outageCauses } from '../domain/model/outages';
import { distributionFigures, runIntegrity, testerLimitKinds, verdictNames } from '../domain/model/run';
import { count, immutable } from '../domain/model/schema';

/**
 * The version of everything that `--json` prints. Within a version fields are only added; a field that is removed,
 * renamed or gets another meaning makes a new one.
 */
export const jsonSchemaVersion = 1;

const instant = z.iso.datetime().describe('ISO 8601, UTC');
const figure = z.number().nullable();

const expectation = z.object({
  id: z.string().describe('`connected`, `degraded`, `cpu`, `gcPause`, or the series of a threshold'),
  name: z
    .string()
    .describe('as in JUnit XML, e.g. `viewers connected >= 99 %`, with the audience or node where it has several'),
  expected: z
    .object({
      text: z.string(),
      comparison: z.enum(['>=', '<=']),
      value: z.number(),
      unit: z.string(),
    })
    .describe('`text` is the condition as in a reason of the verdict, with its tolerance'),
  measured: z
    .object({ value: z.number(), unit: z.string() })
    .nullable()
    .describe('the figure that was compared; null if it was not measured, or not judged'),
  result: z
    .enum(['met', 'failed', 'inconclusive', 'skipped'])
    .describe(
      '`inconclusive`: not measured, or a tester or another program of the machine may have caused it; `skipped`: not ' +
        'judged, e.g. a default that this server can’t be measured for',
    ),
  sentence: z.string().nullable().describe('the result with its figures'),
  at: instant.nullable().describe('the time that shows it, ISO 8601, UTC'),
  atS: figure.describe('the same, seconds since the start of the run'),
  node: z.string().nullable().describe('the node concerned; null: the audience'),
  audience: z.string().nullable().describe('in a run with several audiences: the one concerned; null: all'),
});

const totals = { count, sumS: z.number(), longestS: z.number() };
const audience = z.string().nullable();
const outage = z.object({
  audience,
  fromS: z.number(),
  toS: z.number(),
  isUntilEnd: z.boolean(),
  connectedMin: count,
  connectedMinS: z.number(),
  requested: count,
  causedBy: z.enum(outageCauses).nullable(),
});
const outagesResult = z.object({
  ...totals,
  heldS: z.number().describe('judged time: the holds of all audiences less their gaps'),
  worst: outage.nullable().describe('the one with the smallest share of connected viewers; null without any'),
  list: z
    .array(outage)
    .describe(
      'the longest 100, in order of time; `connectedMin`: the fewest viewers, at `connectedMinS`; `isUntilEnd`: to the ' +
        'end of the hold; `causedBy`: null if nothing but the origin explains it',
    ),
  reconnections: count.describe('of all viewers, in the entire run'),
  gaps: z
    .object({ ...totals, list: z.array(z.object({ audience, fromS: z.number(), toS: z.number() })) })
    .describe('intervals without data, which are not judged'),
  audiences: z
    .array(z.object({ name: z.string(), ...totals, reconnections: count }))
    .describe('of a run with several audiences; otherwise empty'),
});

/** The result of a run for programs: what `fullhouse run --json` and `fullhouse show --json` print. */
export const runResult = immutable(
  z.object({
    schemaVersion: z.literal(jsonSchemaVersion).describe('increases when a field is removed or changes its meaning'),
    id: z.string().describe('the run, as in the name of its file'),
    name: z.string().describe('of the plan, or as renamed'),
    startedAt: instant,
    endedAt: instant.nullable().describe('ISO 8601, UTC; null while it is recorded'),
    verdict: z
      .enum([...verdictNames, 'running'])
      .nullable()
      .describe('`running` while it is recorded; `interrupted`: the console was killed'),
    headline: z.string().nullable().describe('the verdict in one sentence'),
    ended: z
      .object({
        kind: z.enum([
          ...(['plan', 'user', 'stop-condition', 'origin-lost', 'tester-lost'] as const),
          ...(['no-viewers', 'not-started', 'interrupted'] as const),
        ]),
        sentence: z.string(),
      })
      .nullable()
      .describe('how it ended; null while it runs'),
    reasons: z.array(z.string()).describe('of the verdict, the deciding one first'),
    expectations: z.array(expectation).describe('each expectation of the plan, one item per node or audience'),
    notes: z.array(z.string()).describe('expectations that were skipped, and why'),
    testerLimits: z
      .array(
        z.object({
          node: z.string(),
          kind: z.enum(testerLimitKinds),
          fromS: z.number(),
          toS: figure,
          viewers: count,
          sentence: z.string(),
        }),
      )
      .describe(
        'when a tester, not the server, limited its viewers; seconds since the start, `toS` null: until the end',
      ),
    viewers: z
      .object({
        requested: count,
        connectedPeak: count,
        connectedEnd: figure,
        failed: count,
        timeToAllMs: figure,
      })
      .describe(
        '`connectedEnd`: when the drain started; null with several audiences, of which each has its own end in `expectations`',
      ),
    publishers: z
      .object({
        requested: count,
        connectedPeak: count,
        connectedEnd: figure,
        failed: count,
        timeToAllMs: figure,
        sentMbps: figure,
        groups: z.array(
          z.object({
            stream: z.string(),
            node: z.string(),
            by: z.string(),
            requested: count,
            live: count,
            livePeak: count,
            failed: count,
            problems: z.array(z.object({ sentence: z.string(), count })),
          }),
        ),
      })
      .nullable()
      .describe(
        'of a run whose load is publishers alone, which has no viewers: `sentMbps` is the mean of the hold, `groups` the ' +
          'entries of `publish`, `problems` why publishers failed; null for other runs',
      ),
    outages: outagesResult
      .nullable()
      .describe(
        'intervals of a hold with fewer viewers, or publishers alone, than `connected` demands; null for a run that was not judged',
      ),
    publisherOutages: z
      .array(
        z.object({
          node: z.string(),
          by: z.string(),
          stream: z.string(),
          fromS: z.number(),
          toS: figure,
          publishers: z.object({ lost: count, of: count }).nullable(),
          reason: z.string(),
          isOriginLost: z.boolean(),
        }),
      )
      .describe(
        'when publishers of the plan published nothing; `toS` null: not again; `publishers`: of several how many; ' +
          '`isOriginLost`: the server did not respond either',
      ),
    audiences: z
      .array(
        z.object({
          name: z.string(),
          requested: z.number(),
          connectedPeak: z.number(),
          failed: z.number(),
          degradedMax: z.number(),
          bitrateMbpsMax: figure,
          connectP95MsMax: figure,
          firstFrameP95MsMax: figure,
        }),
      )
      .describe('of a run with several audiences, the highest figures of each; otherwise empty'),
    distributions: z
      .array(distributionFigures)
      .describe('of single viewers, over the entire run; `audience`: its place from 1, absent: of all'),
    degraded: z.object({ max: z.number(), percentMax: z.number() }),
    bitrateMbps: figure.describe('received by all viewers together, mean of the hold'),
    packetsPerSecond: figure.describe('the same'),
    agents: z
      .array(z.object({ node: z.string(), cpuPercentAvg: figure, rssMbMax: figure }))
      .describe('of each tester: CPU in percent of one core, mean of the hold; largest resident memory'),
    origin: z
      .object({
        node: z.string(),
        cpuPercentMax: figure,
        cpuPercentAvg: figure,
        processCpuPercentAvg: figure,
        rssMbMax: figure,
        gcPauseMsMax: figure,
        viewersMax: figure,
        outMbpsAvg: figure,
      })
      .describe(
        '`cpuPercent`: of all cores of its host, `Max` over the entire run, `Avg` over the hold; `processCpuPercentAvg`: ' +
          'of its own process, percent of one core',
      ),
    nodes: z
      .array(
        z.object({
          node: z.string(),
          role: z.enum(['origin', 'tester', 'publisher', 'observed']),
          cpuPercentMax: figure,
          processCpuPercentMax: figure,
        }),
      )
      .describe('of each node over the entire run: CPU of its machine (all cores) and of its own process (one core)'),
    browserViewers: browserViewersResult.nullable().describe('the browsers beside the audience; null without any'),
    spotChecks: z
      .object({
        count,
        agreeing: count,
        percent: z.number(),
        stricter: count,
        milder: count,
      })
      .nullable()
      .describe('how far ratings by eye agree with the figures; null without any'),
    limit: limitFound.nullable().describe('the result of a limit search; null without one'),
    integrity: runIntegrity.describe('whether the data of the run are what was recorded, by their checksums'),
    runFile: z.string().describe('path of the run file'),
    report: z.string().nullable().describe('path of the HTML report that was written with it; null: none'),
  }),
);
/** A missing figure is null. */
export type RunResult = z.infer<typeof runResult>;

/** The JSON Schema of the result, which later fields pass too: `fullhouse schema result`. */
export const resultJsonSchema = (): object => ({
  title: 'Result of a Fullhouse run',
  ...z.toJSONSchema(runResult, { io: 'input', unrepresentable: 'any' }),
});
