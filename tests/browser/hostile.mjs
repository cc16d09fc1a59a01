// 200 texts that try to leave their place in a page. `node hostile.mjs sql`: a store's campaigns, criteria and facts with them.
// `node hostile.mjs lines`: one on each line. `node hostile.mjs plan LOG`: a plan whose case prints LOG, with them as its system, settings and reasons.
const shapes = [
  (n) => `</script><script>window.hurt=${n}</script>`, (n) => `<img src=x onerror="window.hurt=${n}">`, (n) => `"><svg onload=window.hurt=${n}>`,
  (n) => `'-window.hurt=${n}-'`, (n) => `javascript:window.hurt=${n}//`, (n) => `<!--<script>window.hurt=${n}`, (n) => `\${window.hurt=${n}}`,
  (n) => `$&$1$\`${n}`, (n) => `\u2028window.hurt=${n}\u2029`, (n) => `\\u003cscript>window.hurt=${n}`, (n) => `]]><script>window.hurt=${n}</script>`,
  (n) => `<iframe srcdoc="<script>parent.hurt=${n}</script>">`, (n) => `<a href="javascript:window.hurt=${n}">x</a>`, (n) => `{{constructor.constructor('window.hurt=${n}')()}}`,
  (n) => `<style>*{display:none}</style>${n}`, (n) => `<base href=//hurt.invalid/>${n}`, (n) => `<meta http-equiv=refresh content=0;url=//hurt.invalid>${n}`,
  (n) => `__proto__ constructor toString ${n}`, (n) => `\u202e${n}\u0000\u001b[31m`, (n) => `&lt;script&gt;window.hurt=${n}&lt;/script&gt;`,
];
export const hostile = Array.from({ length: 200 }, (_, n) => shapes[n % shapes.length](n));

if (process.argv[2] === "sql") {
  const quoted = (text) => `'${text.replaceAll("\u0000", "").replaceAll("'", "''")}'`;
  const lines = ["PRAGMA foreign_keys = OFF;", `UPDATE campaign SET system = ${quoted(hostile[0])}, note = ${quoted(hostile[1])};`,
    `UPDATE run_shape SET system = ${quoted(hostile[0])}, node_kind = ${quoted(hostile[2])}, parameters = ${quoted(hostile[3])};`,
    `UPDATE verdict SET sentence = ${quoted(hostile[6])}, overall = ${quoted(hostile[17])};`, `UPDATE attempt SET hosts = ${quoted(hostile[5])};`];
  hostile.forEach((text, n) => {
    lines.push(`INSERT INTO criterion SELECT id, ${n + 1000}, ${quoted(text)}, ${quoted(text)}, ${quoted(text)}, 'fail', 1, 1, 2, ${quoted(text)} FROM campaign ORDER BY created_s DESC LIMIT 1;`);
    lines.push(`INSERT OR REPLACE INTO environment SELECT id, ${quoted(text)}, ${n + 1000}, ${quoted(text)}, ${quoted(text)} FROM campaign ORDER BY created_s DESC LIMIT 1;`);
  });
  console.log(lines.join("\n"));
}
if (process.argv[2] === "lines") console.log(hostile.join("\n"));
if (process.argv[2] === "plan") {
  const why = hostile.map((text) => text.replaceAll("\u0000", "")).map((text) => ({ what: text, value: text, because: text, rule: text }));
  console.log(JSON.stringify({ schema: "shakedown.plan/1", system: hostile[0], cases: [{ id: "hpl-reference-1n", suite: "hpl", implementation: "reference",
    parser: "hpl", result_file: "stdout.log", nodes: 1, parameters: { N: 1000, NB: 128, P: 1, Q: 2 }, why, ranks: 2, argv: ["/bin/cat", process.argv[3]] }] }));
}
