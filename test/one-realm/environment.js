const { AsyncLocalStorage } = require('node:async_hooks');
const v8 = require('node:v8');
const { Script } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { slowness } = require('../slowness');
const { childrenLine } = require('./children');

const { createHook } = v8.promiseHooks;

/**
 * How the SDK's debug mode runs scripts, without two of its costs. Node starts a thread for each call with a time limit, and
 * the SDK gives every step of a workflow the longest there is, 49 days. And Node formats the stack of an error that it is to
 * display: with each worker the SDK loads the bundle once for debuggers, which ends with an error that it ignores.
 */
const NO_LIMIT = 2 ** 32 - 1;
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function run(context, { timeout = NO_LIMIT, ...options } = {}) {
  const limit = timeout === NO_LIMIT ? {} : { timeout };
  return runInContext.call(this, context, { ...options, ...limit, displayErrors: false });
};

/**
 * Removes what the test runner leaves on the global object: otherwise the next file finds handlers and settings of this
 * one.
 */
const OF_ONE_FILE = [
  'EVENT_HANDLERS',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
  'TEST_TIMEOUT_SYMBOL',
  // The trace providers that a file has registered.
  'opentelemetry.js.api.1',
].map((name) => Symbol.for(name));

/**
 * The storages that Node fills in for each promise and timer. Each file brings some of its own, the runner's and ours, and
 * they would never leave.
 */
const storages = new Set();
const { _enable } = AsyncLocalStorage.prototype;
// Node 24 has no such list.
if (_enable !== undefined) {
  AsyncLocalStorage.prototype._enable = function enable() {
    storages.add(this);
    _enable.call(this);
  };
}

/** The runner keeps its state, with all that the hooks and tests of a file hold, under a new symbol for each file. */
function statesOfFiles() {
  return Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === 'JEST_STATE_SYMBOL');
}

/** What runs on after a file, a timer of a minute for instance, refers to the test or hook that began it. */
function forget({ hooks, children }) {
  for (const one of [...hooks, ...children]) {
    if (one.type === 'describeBlock') forget(one);
    else Object.assign(one, { fn: undefined, asyncError: undefined });
  }
}

/**
 * Tests run among the global objects of their process, not in a separate sandbox: packages then need loading only once
 * for all files of a process (see runtime.js), and an `Error` of theirs is an `Error` of the test's.
 */
module.exports = class OneRealm extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    // The start of a thread for each worker took a tenth of the time of all tests.
    process.env.HOLDFAST_KIT_DEBUG_MODE = '1';
    // For the Web UI, the SDK takes a stack trace of each promise of a workflow. Without that thread it would go through all
    // promises of the tests as well: a tenth of their time.
    // Node's own hook, which carries asynchronous contexts, has `before` as well.
    v8.promiseHooks.createHook = (hook) => ('before' in hook ? createHook(hook) : () => undefined);
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global: globalThis });
    this.limits = new WeakMap();
    this.before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };
  }

  handleTestEvent(event, { testTimeout, rootDescribeBlock }) {
    if (event.name === 'teardown') forget(rootDescribeBlock);
    else this.adjustLimit(event, testTimeout);
    if (event.name === 'test_done' && event.test.errors.length > 0) this.tellChildren(event.test);
  }

  /** Once a file: a server that has ended, or hangs, makes all of its tests fail. */
  tellChildren({ name }) {
    if (this.hasTold) return;
    this.hasTold = true;
    process.stderr.write(`\nAfter \`${name}\` had failed, ${childrenLine()}\n`);
  }

  /** The limits of tests and hooks are those of a machine with nothing else to do. */
  adjustLimit({ name, test, hook }, testTimeout) {
    const limited = name === 'test_fn_start' ? test : name === 'hook_start' ? hook : undefined;
    if (limited === undefined) return;
    // A hook runs for each test.
    this.limits.set(limited, this.limits.get(limited) ?? limited.timeout ?? testTimeout);
    limited.timeout = this.limits.get(limited) * slowness();
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    for (const symbol of [...OF_ONE_FILE, ...statesOfFiles()]) delete globalThis[symbol];
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
    for (const storage of storages) storage.disable();
    storages.clear();
    process.exit = this.before.exit;
    globalThis.console = this.before.console;
    await super.teardown();
  }
};
