/** Whether a failed run says that the origin is to blame: all but a sentence about testers does. */
export function blamesOrigin({ verdict }) {
  return verdict === 'fail';
}

/** Why a run is inconclusive, in a few words: sentences differ by their figures. */
export function reasonOf({ reason, sentence }) {
  const text = reason ?? sentence;
  if (/ was busy: /.test(text))
    return text.includes('hypervisor') ? 'hypervisor' : 'busy with other programs';
  if (/was at its own limit/.test(text)) return 'tester at its limit';
  return text.replace(/[\d.,]+/g, '#');
}

/** One row for each number of busy processors. */
export function honestyTable({ rows }) {
  const burners = [...new Set(rows.map((row) => row.burners))].sort((a, b) => a - b);
  const lines = burners.map((busy) => {
    const mine = rows.filter((row) => row.burners === busy);
    const of = (verdict) => mine.filter((row) => row.verdict === verdict);
    const reasons = new Map();
    for (const row of of('inconclusive')) {
      const reason = reasonOf(row);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    const told = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} ${reason}`);
    const others = mine.length - of('pass').length - of('inconclusive').length - of('fail').length;
    return `| ${busy} | ${mine.length} | ${of('pass').length} | ${of('inconclusive').length}${told.length > 0 ? `: ${told.join(', ')}` : ''} | ${of('fail').length} | ${of('fail').filter(blamesOrigin).length} |${others > 0 ? ` ${others} otherwise` : ''}`;
  });
  return [
    '| busy processors | runs | PASS | INCONCLUSIVE | FAIL | FAIL that blames the origin |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
