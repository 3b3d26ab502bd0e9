/** Whether a failed run names the origin as the cause: all except sentences about testers. */
export function attributesToOrigin({ verdict }) {
  return verdict === 'fail';
}

/** Why a run is inconclusive, in a few words: sentences differ by their figures. */
export function reasonOf({ reason, sentence }) {
  const text = reason ?? sentence;
  if (/ was busy: /.test(text)) return text.includes('hypervisor') ? 'hypervisor' : 'busy with other programs';
  if (/was at its own limit/.test(text)) return 'tester at its limit';
  return text.replace(/[\d.,]+/g, '#');
}

/** One row for each number of busy processors. */
export function busyTable({ rows }) {
  const burners = [...new Set(rows.map((row) => row.burners))].sort((a, b) => a - b);
  const lines = burners.map((busy) => {
    const mine = rows.filter((row) => row.burners === busy);
    const of = (verdict) => mine.filter((row) => row.verdict === verdict);
    const reasons = new Map();
    for (const row of of('inconclusive')) {
      const reason = reasonOf(row);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    const causes = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} ${reason}`);
    const others = mine.length - of('pass').length - of('inconclusive').length - of('fail').length;
    return `| ${busy} | ${mine.length} | ${of('pass').length} | ${of('inconclusive').length}${causes.length > 0 ? `: ${causes.join(', ')}` : ''} | ${of('fail').length} | ${of('fail').filter(attributesToOrigin).length} |${others > 0 ? ` ${others} otherwise` : ''}`;
  });
  return [
    '| busy processors | runs | PASS | INCONCLUSIVE | FAIL | FAIL caused by the origin |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
