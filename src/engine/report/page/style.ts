/** The look of a report: the window's own colours and type, dark and light by the reader's choice, light on paper. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --bg: #0d0f12;
  --s1: #121519;
  --s2: #181c21;
  --hl: #232930;
  --hl2: #353d47;
  --t1: #e9ecf0;
  --t2: #a9b1bc;
  --t3: #838c98;
  --ac: #8c97ff;
  --ok: #4dbe8d;
  --wa: #f59a4a;
  --fa: #f4655c;
  --oks: rgb(77 190 141 / 13%);
  --was: rgb(245 154 74 / 13%);
  --fas: rgb(244 101 92 / 12%);
  --sel: rgb(140 151 255 / 10%);
  --grid: rgb(233 236 240 / 7%);
  --ramp: rgb(233 236 240 / 3.5%);
  --phase: rgb(233 236 240 / 20%);
  --series-1: #f7c23c;
  --series-2: #6faef2;
  --series-3: #79f0cf;
  --series-4: #be5f9f;
  --series-5: #cdbbfa;
  --series-6: #7a882b;
  --series-7: #2f93d6;
  --series-8: #f2925f;
  --mono: 'JetBrains Mono', ui-monospace, 'Cascadia Mono', Menlo, monospace;
}
@media print, (prefers-color-scheme: light) {
  :root {
    --bg: #ffffff;
    --s1: #f7f8fa;
    --s2: #f7f8fa;
    --hl: #e2e5ea;
    --hl2: #c3c9d2;
    --t1: #14181d;
    --t2: #48515c;
    --t3: #666f7b;
    --ac: #4350d8;
    --ok: #12794f;
    --wa: #a85a00;
    --fa: #c9302c;
    --oks: rgb(18 121 79 / 10%);
    --was: rgb(168 90 0 / 10%);
    --fas: rgb(201 48 44 / 8%);
    --sel: rgb(67 80 216 / 8%);
    --grid: rgb(20 24 29 / 8%);
    --ramp: rgb(20 24 29 / 3.5%);
    --phase: rgb(20 24 29 / 22%);
    --series-1: #9a7200;
    --series-2: #2f69cf;
    --series-3: #2aa58c;
    --series-4: #7a1b72;
    --series-5: #5b3fb8;
    --series-6: #5e8a2e;
    --series-7: #0f4f63;
    --series-8: #a84a1e;
  }
}
* {
  box-sizing: border-box;
}
body {
  margin: 0 auto;
  max-width: 1360px;
  padding: 0 16px 48px;
  background: var(--bg);
  color: var(--t1);
  font:
    12px/16px Inter,
    system-ui,
    'Segoe UI',
    sans-serif;
  font-variant-numeric: tabular-nums;
}
header {
  display: flex;
  gap: 10px;
  align-items: center;
  height: 44px;
  border-bottom: 1px solid var(--hl);
}
header svg {
  fill: var(--ac);
}
header .product {
  font-weight: 600;
  font-size: 13px;
  margin-right: 18px;
}
h1,
h2,
h3 {
  margin: 0;
  font-size: 13px;
  line-height: 18px;
  font-weight: 600;
}
h2 {
  display: flex;
  align-items: baseline;
  padding: 20px 0 8px;
}
h2 small,
figcaption small {
  font-weight: 400;
  font-size: 12px;
  color: var(--t3);
  margin-left: 6px;
}
h2 .right {
  margin-left: auto;
}
.legend {
  display: flex;
  gap: 16px;
  margin-left: 28px;
  font-size: 12px;
  font-weight: 400;
}
.quiet,
h2 .quiet {
  color: var(--t3);
}
.label {
  color: var(--t2);
}
.right {
  margin-left: auto;
}
.headline {
  display: grid;
  grid-template-columns: minmax(250px, 1.2fr) minmax(280px, 1.6fr) repeat(5, minmax(108px, auto));
  border-bottom: 1px solid var(--hl);
}
.headline > div {
  padding: 14px 16px;
  border-left: 1px solid var(--hl);
}
.headline > div:first-child {
  padding-left: 0;
  border: 0;
}
.headline .figure {
  font-size: 20px;
  line-height: 28px;
  font-weight: 600;
  white-space: nowrap;
}
.headline .figure.large {
  font-size: 26px;
}
.figure small {
  font-size: 13px;
  font-weight: 400;
  color: var(--t3);
}
.headline p {
  margin: 6px 0 0;
  font-size: 13px;
  line-height: 18px;
  font-weight: 600;
}
.house {
  display: block;
  width: 100%;
  height: 12px;
  margin-top: 4px;
}
.house .in {
  fill: var(--t1);
}
.house .bad {
  fill: var(--wa);
}
.house .out {
  fill: var(--fa);
}
.house .empty {
  fill: var(--hl2);
}
.pill {
  display: inline-block;
  padding: 1px 9px;
  border-radius: 10px;
  font-size: 10px;
  line-height: 16px;
  font-weight: 600;
  letter-spacing: 0.05em;
  background: var(--hl);
  color: var(--t1);
}
.pill.pass {
  color: var(--ok);
  background: var(--oks);
}
.pill.fail {
  color: var(--fa);
  background: var(--fas);
}
.pill.inconclusive {
  color: var(--wa);
  background: var(--was);
}
.over {
  color: var(--fa);
}
.warn {
  color: var(--wa);
}
.columns {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 0 40px;
}
.columns > * {
  min-width: 0;
}
ol.reasons,
ul.room {
  list-style: none;
  margin: 0;
  padding: 0;
}
ol.reasons li,
ul.room li {
  display: flex;
  gap: 10px;
  padding: 9px 0;
  border-top: 1px solid var(--hl);
}
ol.reasons b {
  flex: none;
  width: 17px;
  height: 17px;
  border-radius: 50%;
  background: var(--fa);
  color: var(--bg);
  text-align: center;
  font-size: 10px;
  line-height: 17px;
}
ul.room li::before {
  content: '\\2713';
  color: var(--ok);
}
.charts {
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  border-top: 1px solid var(--hl);
}
figure {
  margin: 0;
  padding: 10px 8px 8px 0;
  border-bottom: 1px solid var(--hl);
  min-width: 0;
  break-inside: avoid;
}
.charts figure + figure {
  padding-left: 8px;
}
.charts figure:nth-child(3n + 1) {
  padding-left: 0;
}
.charts figure:not(:nth-child(3n)) {
  border-right: 1px solid var(--hl);
}
figcaption {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 10px;
  min-height: 18px;
  font-size: 13px;
}
figcaption small {
  margin-left: -4px;
}
figcaption .values {
  display: flex;
  gap: 9px;
  margin-left: auto;
  font-size: 12px;
  font-weight: 500;
}
figcaption .of {
  color: var(--t3);
  font-weight: 400;
  margin-right: 4px;
}
#any-series {
  max-width: 680px;
  border: 0;
}
.chart {
  display: block;
  width: 100%;
  height: auto;
  touch-action: pan-y;
  user-select: none;
}
.scripted .chart {
  height: 210px;
  cursor: crosshair;
}
html:not(.scripted) .scripted-only {
  display: none;
}
.chart text {
  font-size: 10px;
  fill: var(--t3);
}
.chart .y {
  text-anchor: end;
}
.chart .x,
.chart .none,
.chart .reason,
.chart .chip-text {
  text-anchor: middle;
}
.chart .grid,
.chart .fall,
.chart .limit,
.chart .fact,
.chart .cross {
  fill: none;
  stroke: var(--grid);
}
.chart path.limit {
  stroke: var(--wa);
  stroke-dasharray: 4 3;
}
.chart path.fact {
  stroke: var(--t2);
  stroke-dasharray: 1 2;
}
.chart text.limit {
  fill: var(--wa);
}
.chart text.fact {
  fill: var(--t2);
}
.chart .patch {
  fill: var(--bg);
  opacity: 0.82;
}
.chart .phase {
  fill: var(--phase);
}
.chart .ramp {
  fill: var(--ramp);
}
.chart .fall {
  stroke: var(--t1);
  stroke-dasharray: 1 3;
  opacity: 0.32;
}
.chart .fall.fa {
  stroke: var(--fa);
  opacity: 0.7;
}
.chart .fall.wa {
  stroke: var(--wa);
}
.chart .mark-wa {
  fill: var(--wa);
}
.chart .mark-fa {
  fill: var(--fa);
}
.chart .mark-note {
  fill: var(--t1);
}
.chart .mark-line {
  fill: none;
  stroke: var(--k);
  stroke-width: 1.6;
}
.chart text.reason {
  fill: var(--bg);
  font-weight: 600;
}
.chart .line {
  fill: none;
  stroke: var(--k);
  stroke-width: 1.5;
  stroke-linejoin: round;
}
.chart .line.main {
  stroke-width: 1.75;
}
.chart .line.noisy {
  stroke-width: 1.25;
}
.chart .line.asked {
  stroke-width: 1;
  stroke-dasharray: 3 3;
}
.chart .d1 {
  stroke-dasharray: 5 2;
}
.chart .d2 {
  stroke-dasharray: 1.5 2;
}
.chart .ground {
  fill: var(--k);
  stroke: none;
  opacity: 0.18;
}
.chart .ground.area {
  opacity: 0.28;
}
.chart .ring {
  fill: var(--bg);
  stroke: var(--k);
  stroke-width: 1.2;
}
.chart .dot {
  fill: var(--k);
}
.chart .cross {
  stroke: var(--t1);
  opacity: 0.55;
}
.chart .drag {
  fill: var(--sel);
}
.chart .chip {
  fill: var(--t1);
}
.chart .chip-text {
  fill: var(--bg);
  font-weight: 600;
}
.neutral {
  --k: var(--t2);
}
.degraded {
  --k: var(--wa);
}
.k1 {
  --k: var(--series-1);
}
.k2 {
  --k: var(--series-2);
}
.k3 {
  --k: var(--series-3);
}
.k4 {
  --k: var(--series-4);
}
.k5 {
  --k: var(--series-5);
}
.k6 {
  --k: var(--series-6);
}
.k7 {
  --k: var(--series-7);
}
.k8 {
  --k: var(--series-8);
}
.swatch {
  display: inline-block;
  width: 8px;
  height: 8px;
  margin-right: 5px;
  border-radius: 2px;
  background: var(--k);
}
.swatch.d1 {
  background: linear-gradient(90deg, var(--k) 40%, transparent 40% 60%, var(--k) 60%);
}
.swatch.d2 {
  background: radial-gradient(circle at 2px 50%, var(--k) 1.6px, transparent 1.8px) 0 0 / 4px 8px;
}
table {
  width: 100%;
  border-collapse: collapse;
}
th {
  padding: 6px 12px 6px 0;
  text-align: left;
  font-weight: 400;
  color: var(--t3);
  white-space: nowrap;
}
td {
  padding: 6px 12px 6px 0;
  border-top: 1px solid var(--hl);
  vertical-align: top;
}
.wide {
  width: 100%;
  min-width: 200px;
}
td.tight {
  white-space: nowrap;
}
th,
td {
  padding-right: 20px;
}
p {
  margin: 0;
}
tr {
  break-inside: avoid;
}
td.number,
th.number {
  text-align: right;
  white-space: nowrap;
}
td.time {
  white-space: nowrap;
}
tr.chosen {
  background: var(--sel);
}
td button {
  all: unset;
  cursor: pointer;
}
html:not(.scripted) td button {
  cursor: auto;
}
td button:focus-visible {
  outline: 1px solid var(--ac);
  outline-offset: 2px;
}
.scripted td button:hover {
  color: var(--ac);
}
.scroll {
  overflow-x: auto;
}
.mono,
pre {
  font: 11px/17px var(--mono);
  font-variant-ligatures: none;
}
pre {
  margin: 0 0 8px;
  padding: 10px 12px;
  border: 1px solid var(--hl);
  border-radius: 5px;
  background: var(--s1);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.stills {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
  gap: 12px;
}
.stills figure {
  padding: 0;
  border: 0;
}
.stills img {
  display: block;
  width: 100%;
}
.stills figcaption {
  font-size: 12px;
  padding-top: 4px;
}
dl {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 4px 16px;
  margin: 0;
}
dt {
  color: var(--t2);
}
dd {
  margin: 0;
}
footer {
  margin-top: 28px;
  padding-top: 10px;
  border-top: 1px solid var(--hl);
  color: var(--t3);
}
@media (max-width: 1100px) {
  .headline {
    grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
  }
  .charts {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .charts figure:nth-child(n) {
    border-right: 0;
    padding: 10px 8px 8px 0;
  }
  .columns {
    grid-template-columns: 1fr;
  }
}
@media (max-width: 700px) {
  .charts {
    grid-template-columns: 1fr;
  }
}
@media print {
  body {
    max-width: none;
    padding: 0;
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
  }
  .scripted-only,
  #any-series {
    display: none;
  }
  .scripted .chart {
    height: auto;
  }
  .charts {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  h2 {
    break-after: avoid;
  }
}
`;
