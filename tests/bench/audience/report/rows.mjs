import { digits, shown } from './spread.mjs';

/** Packets/s of the measured stream. */
const packetsPerViewer = 60;
/** Below this share of it the figure is of a lighter load than specified. */
const minShareOfRate = 0.97;
/** Target for the ratio to the kernel's own cost. */
const maxShareOfFloor = 1.3;
/**
 * The targets in % of a core were set when the plain clients cost 87 to 94 % (WHEP) and 54.5 % (RTMP). As shares of a
 * plain client they hold on a machine of any speed.
 */
const maxShareOfPlain = { whep: 16 / 90.5, rtmp: 12 / 54.5, http: 1 / 3 };
/** Noise between two windows of the same group. */
const growthNoise = 1.1;

/** Figures of the reference tools, recorded on another day on the same kind of machine: 2 cores, 1,000 viewers. */
const recorded = {
  whepCpu: 'srs_bench 100 %',
  whepMemory: 'srs_bench 545 MB',
  whepArrival: 'srs_bench 3.1 s',
  rtmpCpu: 'sb_rtmp_load 57 to 60 %',
  rtmpMemory: 'sb_rtmp_load 155 MB',
};

/**
 * The table's rows, each `{ what, field, plain, ours, wanted, verdict, notes }` of texts. `verdict` is `ok`, `missed`,
 * `not available`, `not at full rate`, or empty without a target.
 * @param {object} results results of the parts; unmeasured ones are absent
 * @param {{ viewers: number }} bench with a number other than 1,000 nothing is judged
 */
export function rowsOf(results, bench) {
  const rows = [
    ...whepRows(results.whep ?? {}, bench.viewers),
    ...bareRows(results.bare ?? {}),
    ...rtmpRows(results.rtmp ?? {}, bench.viewers),
    ...httpRows(results.http ?? {}, bench.viewers),
  ];
  return bench.viewers === 1000
    ? rows
    : rows.map((row) => ({ ...row, verdict: row.verdict === 'not available' ? row.verdict : '' }));
}

function whepRows({ ours, plain, rampUpMs, truer }, viewers) {
  const rows = [];
  const rate = packetsPerViewer * viewers;
  if (ours) {
    const what = `${count(viewers)} WHEP viewers, 240p25 + Opus, ${count(rate)} packets/s`;
    rows.push(
      judged(`CPU of ${what}`, ours.cpuPercent, '%', 16, {
        field: recorded.whepCpu,
        plain: plain?.cpuPercent,
        ...atRate(ours, rate),
      }),
      ...ratioRow(ours, plain, maxShareOfPlain.whep),
      judged('memory of the same', ours.rssMb, 'MB', 45, { field: recorded.whepMemory, plain: plain?.rssMb }),
    );
  }
  if (rampUpMs)
    rows.push(
      judged(`time to ${count(viewers)} connected, 32 at once`, scaled(rampUpMs, 1 / 1000), 's', 2, {
        field: recorded.whepArrival,
        plain: plain && one(plain.connectMs / 1000),
      }),
    );
  if (truer)
    rows.push(
      judged('CPU of the same with TWCC each 100 ms and 5 % decrypted', truer.cpuPercent, '%', 24, {
        missing: truer.missing,
        ...withFeedback(truer, atRate(truer, rate)),
      }),
    );
  return rows;
}

function bareRows({ ours = [], floor = [], oneSocket, most, thousand }) {
  const rows = [];
  const of = (all, viewers) => all.find((each) => each.viewers === viewers);
  const largest = of(ours, most);
  if (largest) {
    const rate = most * packetsPerViewer;
    rows.push(
      judged(
        `CPU of ${count(most)} viewers of a minimal sender, ${count(rate)} packets/s`,
        largest.cpuPercent,
        '%',
        42,
        atRate(largest, rate),
      ),
      judged('memory of the same', largest.rssMb, 'MB', 80),
    );
  }
  const here = of(ours, thousand);
  const least = of(floor, thousand);
  if (here && least) {
    const ratio = here.cpuPercent.median / least.cpuPercent.median;
    rows.push(
      judged(
        `${count(thousand)} viewers of a minimal sender`,
        here.cpuPercent,
        '%',
        undefined,
        atRate(here, thousand * packetsPerViewer),
      ),
      judged(`receive-only program, ${count(thousand)} sockets`, least.cpuPercent, '%'),
    );
    if (oneSocket) rows.push(judged('receive-only program, one socket for all', oneSocket.cpuPercent, '%'));
    rows.push(
      judged(`ratio of agent to receive-only with ${count(thousand)} sockets`, one(ratio), 'x', maxShareOfFloor),
    );
  }
  if (ours.length > 1) rows.push(growthRow(ours));
  return rows;
}

/** Linear or better: a viewer of the largest group costs no more than one of the smallest. */
function growthRow(ours) {
  const first = ours[0];
  const last = ours.at(-1);
  const perThousand = ({ cpuPercent, viewers }) => (cpuPercent.median / viewers) * 1000;
  const isLinear = perThousand(last) <= perThousand(first) * growthNoise;
  return {
    what: `CPU per 1,000 viewers, ${count(first.viewers)} to ${count(last.viewers)} viewers`,
    field: '',
    plain: '',
    ours: ours.map((each) => digits(perThousand(each))).join(', ') + ' %',
    wanted: 'linear or better',
    verdict: isLinear ? 'ok' : 'missed',
    notes: [],
  };
}

function rtmpRows({ ours, plain }, viewers) {
  if (!ours) return [];
  const kbps = (ours.kbps ?? plain?.kbps)?.median;
  const megabits = kbps ? ` at ${digits(kbps / 1000)} Mbit/s` : '';
  const { missing } = ours;
  return [
    judged(`CPU of ${count(viewers)} RTMP viewers${megabits}`, ours.cpuPercent, '%', 12, {
      field: recorded.rtmpCpu,
      plain: plain?.cpuPercent,
      missing,
    }),
    ...ratioRow(ours, plain, maxShareOfPlain.rtmp),
    judged('memory of the same', ours.rssMb, 'MB', 30, {
      field: recorded.rtmpMemory,
      plain: plain?.rssMb,
      missing,
    }),
  ];
}

function httpRows({ hls, flv, most }, viewers) {
  const rows = [];
  for (const [name, of] of Object.entries({ HLS: hls, 'HTTP-FLV': flv })) {
    if (!of) continue;
    const { ours, plain } = of;
    const megabits = ours.kbps ? ` at ${digits(ours.kbps.median / 1000)} Mbit/s` : '';
    const { missing } = ours;
    rows.push(
      judged(`CPU of ${count(viewers)} ${name} viewers${megabits}`, ours.cpuPercent, '%', undefined, {
        plain: plain?.cpuPercent,
        missing,
      }),
      ...ratioRow(ours, plain, maxShareOfPlain.http),
      judged('memory of the same', ours.rssMb, 'MB', undefined, { plain: plain?.rssMb, missing }),
      ...(plain && ours.rssMb
        ? [
            judged(
              'ratio of their memory',
              one(ours.rssMb.median / plain.rssMb.median),
              'x',
              Number(maxShareOfPlain.http.toFixed(2)),
            ),
          ]
        : []),
    );
  }
  if (most?.ours.cpuPercent)
    rows.push(
      judged('CPU of 5,000 HLS viewers beside their origin', most.ours.cpuPercent, '%'),
      judged('degraded of them', one(most.ours.degraded), '', 0),
    );
  return rows;
}

/** Agent relative to the plain client: valid on a machine of any speed. */
function ratioRow({ cpuPercent, missing }, plain, most) {
  if (!cpuPercent || !plain?.cpuPercent || missing !== undefined) return [];
  const ratio = cpuPercent.median / plain.cpuPercent.median;
  return [judged('ratio of agent to plain client', one(ratio), 'x', Number(most.toFixed(2)))];
}

function judged(what, ours, unit, most, { field = '', plain, missing, notes = [], isFullRate = true } = {}) {
  const row = { what, field, plain: shown(plain, unit), ours: shown(ours, unit), notes };
  row.wanted = most === undefined ? '' : `<= ${most} ${unit}`;
  if (missing !== undefined) return { ...row, ours: 'not available', verdict: 'not available', notes: [missing] };
  if (most === undefined) return { ...row, verdict: isFullRate ? '' : 'not at full rate' };
  if (!isFullRate) return { ...row, verdict: 'not at full rate' };
  return { ...row, verdict: ours && ours.median <= most ? 'ok' : 'missed' };
}

/** Whether the row's packet rate was received. */
function atRate(figures, wanted) {
  const came = figures.packetsPerSecond?.median;
  if (came >= wanted * minShareOfRate) return {};
  const measured = came === undefined ? 'Packet rate not measured' : `${count(came)} packets/s received`;
  return { isFullRate: false, notes: [`${measured}; ${count(wanted)} expected.`] };
}

/** Ten a second correspond to 100 ms; counted by the lab. */
const minFeedback = 9;

function withFeedback({ feedbackPerSecond }, { isFullRate = true, notes = [] }) {
  if (feedbackPerSecond === undefined) return { isFullRate, notes };
  const note = `${feedbackPerSecond.toFixed(1)} feedback packets/s per viewer.`;
  return { isFullRate: isFullRate && feedbackPerSecond >= minFeedback, notes: [...notes, note] };
}

const one = (value) => ({ median: value, least: value, most: value });
const scaled = ({ median, least, most }, by) => ({ median: median * by, least: least * by, most: most * by });
const count = (value) => Math.round(value).toLocaleString('en-US');
