const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;
const { shareSandboxes } = require('./shared-sandbox');

const PACKAGES = `${sep}node_modules${sep}`;
const RELATIVE = /^\.{0,2}\//;

/** The runtime of the file that runs. */
let current;
const loadByNode = require.extensions['.js'];
// Temporal's worker loads the data converter by its path.
require.extensions['.ts'] = (module, filename) => {
  // After the last file, in the same process, Jest loads and compiles what ends the tests.
  if (current === undefined) return loadByNode(module, filename);
  module.exports = current.requireModule(filename);
  // Each file gets a separate instance.
  delete require.cache[filename];
};

/** The functions of source files, by path: text, and its compiled function. Each call creates a new module. */
const compiled = new Map();

/**
 * Loads a package once for all test files of a process, as Node does; each file still gets separate modules for all
 * sources of this repository. Most of the time of a test file was loading the same packages again.
 */
module.exports = class SharedPackages extends Runtime {
  constructor(...args) {
    super(...args);
    current = this;
    const { executor } = this;
    executor.compile = (text, filename) => {
      const known = compiled.get(filename);
      if (known?.text === text) return known.made;
      const made = compileFunction(text, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { text, made });
      return made;
    };
  }

  teardown() {
    super.teardown();
    current = undefined;
  }

  requireModule(from, name, options, isRequireActual) {
    const resolution = this._resolution;
    const mayBePackage = name !== undefined && !options?.isInternalModule && !RELATIVE.test(name);
    if (mayBePackage && !resolution.isCoreModule(name)) {
      const path = resolution.resolveCjs(from, name);
      if (path.includes(PACKAGES)) {
        const loaded = require(path);
        if (name === '@temporalio/worker') shareSandboxes(loaded);
        return loaded;
      }
    }
    return super.requireModule(from, name, options, isRequireActual);
  }
};
