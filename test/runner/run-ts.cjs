const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join, resolve } = require('node:path');

/**
 * `node run-ts.cjs <file.ts> [<argument>…]`: runs a TypeScript source, compiled as the tests themselves are. jiti, with
 * which users run theirs, takes twice as long to load the sources of this repository.
 */
const CACHE = join(__dirname, '..', '..', 'node_modules', '.cache', 'holdfast-tests');
const OPTIONS = {
  // `import()` of an ES module stays one.
  module: { type: 'commonjs', ignoreDynamic: true },
  sourceMaps: 'inline',
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
};
const SALT = `${require('@swc/core/package.json').version} ${JSON.stringify(OPTIONS)}`;

require.extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);
process.argv.splice(1, 2, resolve(process.argv[2]));
mkdirSync(CACHE, { recursive: true });
Module.runMain();

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const path = join(CACHE, `${createHash('sha256').update(`${SALT} ${filename}\n${source}`).digest('hex')}.js`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { code } = require('@swc/core').transformSync(source, { ...OPTIONS, filename });
  // Renamed, so that a process beside this one reads no half of it.
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
  return code;
}
