import { digits, shown } from './spread.mjs';

/** What one viewer of the measured stream gets. */
const packetsPerViewer = 60;
/** Less than this share of it, and the figure is of an easier task than was set. */
const leastOfRate = 0.97;
/** The goal for what is above the kernel's own cost. */
const mostOfFloor = 1.3;
/**
 * The goals in % of a core were set on a day when the plain clients cost 87 to 94 % (WHEP) and 54.5 % (RTMP). The same goals as shares of a
 * plain client hold on a machine of any speed.
 */
const mostOfPlain = { whep: 16 / 90.5, rtmp: 12 / 54.5 };
/** What two windows of the same crowd may differ by here. */
const growthNoise = 1.1;

/** Figures of the field's tools on another day, same kind of machine: 2 cores, 1,000 viewers. They are not from this run. */
const recorded = {
  whepCpu: 'srs_bench 100 %',
  whepMemory: 'srs_bench 545 MB',
  whepArrival: 'srs_bench 3.1 s',
  rtmpCpu: 'sb_rtmp_load 57 to 60 %',
  rtmpMemory: 'sb_rtmp_load 155 MB',
};

/**
 * The table's rows, each `{ what, field, plain, ours, wanted, verdict, notes }` of texts. `verdict` is `ok`, `missed`, `not
 * available`, `not at full rate`, or empty where nothing was wanted.
 * @param {object} results what the parts measured; those that were not are absent
 * @param {{ viewers: number }} bench with other than 1,000 viewers nothing is judged
 */
export function rowsOf(results, bench) {
  const rows = [
    ...whepRows(results.whep ?? {}, bench.viewers),
    ...bareRows(results.bare ?? {}),
    ...rtmpRows(results.rtmp ?? {}, bench.viewers),
  ];
  return bench.viewers === 1000
    ? rows
    : rows.map((row) => ({ ...row, verdict: row.verdict === 'not available' ? row.verdict : '' }));
}

function whepRows({ ours, plain, arrivalMs, truer }, viewers) {
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
      ...ratioRow(ours, plain, mostOfPlain.whep),
      judged('memory of the same', ours.rssMb, 'MB', 45, { field: recorded.whepMemory, plain: plain?.rssMb }),
    );
  }
  if (arrivalMs)
    rows.push(
      judged(`time to ${count(viewers)} connected, 32 at once`, scaled(arrivalMs, 1 / 1000), 's', 2, {
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
  const crowd = of(ours, most);
  if (crowd) {
    const rate = most * packetsPerViewer;
    rows.push(
      judged(
        `CPU of ${count(most)} viewers of a bare sender, ${count(rate)} packets/s`,
        crowd.cpuPercent,
        '%',
        42,
        atRate(crowd, rate),
      ),
      judged('memory of the same', crowd.rssMb, 'MB', 80),
    );
  }
  const here = of(ours, thousand);
  const least = of(floor, thousand);
  if (here && least) {
    const ratio = here.cpuPercent.median / least.cpuPercent.median;
    rows.push(
      judged(
        `${count(thousand)} viewers of a bare sender`,
        here.cpuPercent,
        '%',
        undefined,
        atRate(here, thousand * packetsPerViewer),
      ),
      judged(`the floor of the same: ${count(thousand)} sockets that only receive`, least.cpuPercent, '%'),
    );
    if (oneSocket)
      rows.push(judged('the floor of the same with one socket for all', oneSocket.cpuPercent, '%'));
    rows.push(judged('ours to the floor of a socket for each viewer', one(ratio), 'x', mostOfFloor));
  }
  if (ours.length > 1) rows.push(growthRow(ours));
  return rows;
}

/** Linear or better: a viewer of the largest crowd costs no more than one of the smallest. */
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
    ...ratioRow(ours, plain, mostOfPlain.rtmp),
    judged('memory of the same', ours.rssMb, 'MB', 30, {
      field: recorded.rtmpMemory,
      plain: plain?.rssMb,
      missing,
    }),
  ];
}

/** Ours in the plain client's stead: what holds on a machine of another speed. */
function ratioRow({ cpuPercent, missing }, plain, most) {
  if (!cpuPercent || !plain?.cpuPercent || missing !== undefined) return [];
  const ratio = cpuPercent.median / plain.cpuPercent.median;
  return [judged('the same, ours to the plain client', one(ratio), 'x', Number(most.toFixed(2)))];
}

function judged(what, ours, unit, most, { field = '', plain, missing, notes = [], isFullRate = true } = {}) {
  const row = { what, field, plain: shown(plain, unit), ours: shown(ours, unit), notes };
  row.wanted = most === undefined ? '' : `<= ${most} ${unit}`;
  if (missing !== undefined)
    return { ...row, ours: 'not available', verdict: 'not available', notes: [missing] };
  if (most === undefined) return { ...row, verdict: isFullRate ? '' : 'not at full rate' };
  if (!isFullRate) return { ...row, verdict: 'not at full rate' };
  return { ...row, verdict: ours && ours.median <= most ? 'ok' : 'missed' };
}

/** Whether the packets came that the row speaks of. */
function atRate(figures, wanted) {
  const came = figures.packetsPerSecond?.median;
  if (came >= wanted * leastOfRate) return {};
  const told = came === undefined ? 'Nobody told how many packets came' : `${count(came)} packets/s came`;
  return { isFullRate: false, notes: [`${told}; ${count(wanted)} a second should have.`] };
}

/** Ten a second is what 100 ms means; the lab counted them. */
const leastFeedback = 9;

function withFeedback({ feedbackPerSecond }, { isFullRate = true, notes = [] }) {
  if (feedbackPerSecond === undefined) return { isFullRate, notes };
  const note = `${feedbackPerSecond.toFixed(1)} packets of feedback/s from each viewer.`;
  return { isFullRate: isFullRate && feedbackPerSecond >= leastFeedback, notes: [...notes, note] };
}

const one = (value) => ({ median: value, least: value, most: value });
const scaled = ({ median, least, most }, by) => ({ median: median * by, least: least * by, most: most * by });
const count = (value) => Math.round(value).toLocaleString('en-US');
