import { z } from 'zod';
import { agentCalls } from '../../src/contract/agentCalls.ts';
import { agentLimits } from '../../src/contract/agentLimits.ts';
import {
  agentListening,
  agentProtocolVersion,
  agentRequest,
  agentResponse,
  agentState,
  agentStatus,
  selfTestResult,
} from '../../src/contract/agentProtocol.ts';
import { agentRecord, audienceSample, eventNames, labSample } from '../../src/contract/agentSample.ts';
import { labGreeting } from '../../src/contract/labProtocol.ts';
import { defaultQueueMs, networkLimits } from '../../src/domain/model/network.ts';
import { maxLayers } from '../../src/domain/model/plan.ts';
import { httpProtocols, processProtocols, protocolsWithoutAudio } from '../../src/domain/model/protocols.ts';
import { defaultTurnKbps, maxTurnKbps } from '../../src/domain/model/turn.ts';
import { refusedHeaders } from '../../src/domain/plan/headerRules.ts';
import { histogramScale } from '../../src/domain/distribution/buckets.ts';
import { degradedCauses, degradedRule } from '../../src/domain/viewer/degraded.ts';
import { freezeRule } from '../../src/domain/viewer/freeze.ts';
import { delayMethods } from '../../src/domain/viewer/delay.ts';
import { causesSource } from './goCauses.mjs';
import { goName, goSource } from './goTypes.mjs';

const named = (values, id, description) => z.enum(values).meta({ id, description });

/** Everything that crosses the link, each type once; those of calls are named after their call. */
const messages = z.object({
  agentListening,
  agentState,
  agentStatus,
  selfTestResult,
  agentRequest,
  agentResponse,
  agentRecord,
  audienceSample,
  labSample,
  eventName: named(eventNames, 'EventName', 'What an event reports.'),
  degradedCause: named(degradedCauses, 'DegradedCause', 'The rule that a degraded viewer breaks.'),
  delayMethod: named(delayMethods, 'DelayMethod', 'Where the time of day of a packet comes from.'),
  ...Object.fromEntries(
    Object.entries(agentCalls).flatMap(([call, { params, result }]) => [
      [`${goName(call)}Params`, params.describe(`The parameters of ${call}.`)],
      [`${goName(call)}Result`, result],
    ]),
  ),
});

/** The JSON Schema of each type by name. */
function definitions() {
  const { $defs, properties } = z.toJSONSchema(messages);
  const inline = Object.entries(properties).filter(([, { $ref, allOf, properties: own }]) => {
    return !$ref && (allOf || Object.keys(own ?? {}).length > 0);
  });
  return { ...$defs, ...Object.fromEntries(inline) };
}

/** Bounds and defaults of the parameters of calls; those that any number of its type keeps are left out. */
function bounds(types) {
  const found = {};
  for (const [type, { properties }] of Object.entries(types)) {
    if (!type.endsWith('Params')) continue;
    for (const [field, { minimum = 0, maximum = Infinity, maxLength = maximum, default: usual }] of Object.entries(
      properties,
    )) {
      const name = type.replace(/Params$/, '') + goName(field);
      if (usual !== undefined) found[`${name}Default`] = usual;
      if (minimum > 1) found[`${name}Min`] = minimum;
      if (maxLength < Number.MAX_SAFE_INTEGER) found[`${name}Max`] = maxLength;
    }
  }
  return found;
}

const prefixed = (prefix, values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + goName(name), value]));

/** All generated files of the agent's package `protocol`, by name. */
export const generatedSources = () => ({ 'protocol_gen.go': protocolSource(), 'causes_gen.go': causesSource() });

function protocolSource() {
  const types = definitions();
  return goSource(types, [
    {
      text: 'The version of the protocol, and the largest text frame in either direction.',
      values: {
        ProtocolVersion: agentProtocolVersion,
        MaxFrameBytes: agentLimits.maxFrameBytes,
        MaxPublishers: agentLimits.maxPublishers,
        MaxLayers: maxLayers,
        MaxStreams: agentLimits.maxStreams,
        MaxProcesses: agentLimits.maxProcesses,
        MinWatchMs: agentLimits.minWatchMs,
        MaxWatchMs: agentLimits.maxWatchMs,
        MinRoomSize: agentLimits.minRoomSize,
        MaxRoomSize: agentLimits.maxRoomSize,
      },
    },
    {
      text: 'Buckets per doubling of all histograms, as a power of two; src/domain/distribution/buckets.ts explains it.',
      values: { HistogramScale: histogramScale },
    },
    {
      text: 'When a viewer is degraded; src/domain/viewer/degraded.ts explains it.',
      values: prefixed('Degraded', degradedRule),
    },
    {
      text: 'When an interval between two frames is a freeze; src/domain/viewer/freeze.ts explains it.',
      values: prefixed('Freeze', freezeRule),
    },
    {
      text: 'Headers that viewers must not set, in lower case; one that ends in * stands for all that start so.',
      values: { RefusedHeaders: refusedHeaders.join(' ') },
    },
    {
      text: 'Protocols whose viewers send HTTP requests, that have no audio, and whose viewers are processes of ffmpeg.',
      values: {
        HTTPProtocols: httpProtocols.join(' '),
        ProtocolsWithoutAudio: protocolsWithoutAudio.join(' '),
        ProcessProtocols: processProtocols.join(' '),
      },
    },
    { text: "First words of the lab's page at /, by which it is identified.", values: { LabGreeting: labGreeting } },
    {
      text: 'Maximums of a simulated network, and its default.',
      values: {
        ...prefixed('NetworkMax', networkLimits),
        NetworkQueueMsDefault: defaultQueueMs,
      },
    },
    {
      text: 'What each viewer of a TURN server alone sends, in kbit/s.',
      values: { TURNKbpsDefault: defaultTurnKbps, TURNKbpsMax: maxTurnKbps },
    },
    { text: 'Bounds and defaults of parameters.', values: bounds(types) },
  ]);
}
