// All tests of the studio in a real browser. `--pictures FOLDER` keeps what was seen; names of parts run only these.

import { hostile } from "./hostile.mjs";
import { Bench } from "./harness.mjs";
import { label } from "./label.mjs";
import { network } from "./network.mjs";
import { table } from "./table.mjs";
import { walk } from "./walk.mjs";

const parts = { walk, label, table, network, hostile };
const args = process.argv.slice(2);
const at = args.indexOf("--pictures");
const pictures = at < 0 ? undefined : args.splice(at, 2)[1];
const names = args.length > 0 ? args : Object.keys(parts);

const bench = await Bench.open(pictures);
try {
  for (const name of names) {
    const began = performance.now();
    try {
      await parts[name](bench);
    } catch (error) {
      bench.check(`${name}: ${error.stack}`, false);
    }
    console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
} finally {
  await bench.close();
}
console.log(`${bench.n_checks} checks, ${bench.failures.length} failed`);
process.exitCode = bench.failures.length > 0 ? 1 : 0;
