/** Who may import whom. Each rule names the failure it prevents. */
const rooms = ['agent', 'workflows', 'activities', 'runtime', 'workers', 'client', 'cli'];

/** A room and the rooms that it may import besides itself. */
function room(name, allowed, comment) {
  const others = [...rooms, 'test', 'examples', 'bench'].filter((other) => other !== name && !allowed.includes(other));
  return {
    name: `room-${name}`,
    severity: 'error',
    comment,
    from: { path: `^${name}/` },
    to: { path: `^(${others.join('|')})/` },
  };
}

module.exports = {
  forbidden: [
    room('agent', [], 'What an agent is must be usable everywhere, also in the workflow sandbox and in a browser.'),
    room('workflows', ['agent'], 'What a run decides is replayed: nothing but pure data may reach it.'),
    room('runtime', ['agent'], 'Every process needs it, so it drags nothing along.'),
    room(
      'activities',
      ['agent', 'runtime'],
      'Jobs know neither the loop that asks for them nor the worker that runs them.',
    ),
    room(
      'workers',
      ['agent', 'runtime', 'activities', 'workflows'],
      'Workers serve; they do not call clients or the command line.',
    ),
    room('client', ['agent', 'runtime'], 'A client needs no tool code and no worker.'),
    {
      name: 'agent-is-pure',
      severity: 'error',
      comment:
        'No Temporal, no Node, no I/O, no schema library: every room and the sandbox import it. Types of Standard Schema are erased.',
      from: { path: '^agent/' },
      to: { dependencyTypesNot: ['local', 'type-only'], pathNot: ['^node_modules/@standard-schema/spec', '^agent/'] },
    },
    {
      name: 'workflows-stay-in-the-sandbox',
      severity: 'error',
      comment: 'A waiting run costs 0.3 MB of worker memory without a schema library in the bundle, and 1 MB with one.',
      from: { path: '^workflows/' },
      to: { pathNot: ['^(agent|workflows)/', '^node_modules/@temporalio/(workflow|common)', '^node_modules/fflate'] },
    },
    {
      name: 'workflows-reach-no-schema-code',
      severity: 'error',
      comment: 'Also not by way of the agent room: definitions and checks belong to the worker.',
      from: { path: '^workflows/' },
      to: { path: '^agent/(define/((agent|tool|service)\\.ts|checks/)|contracts/|index)', reachable: true },
    },
    {
      name: 'client-loads-no-native-worker',
      severity: 'error',
      comment: "The worker's native library is 30 MB that a web server which only starts runs does not need.",
      from: { path: '^client/' },
      to: { path: '^(node_modules/@temporalio/(worker|core-bridge)|workers/|activities/)', reachable: true },
    },
    {
      name: 'page-runs-in-browsers',
      severity: 'error',
      comment: 'What the page imports is sent to every browser: nothing of Node, and of the rooms only the pure one.',
      from: { path: '^client/web/', pathNot: 'vite\\.config' },
      to: { path: '^(runtime/|client/(?!web/))', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-needs-no-node',
      severity: 'error',
      comment: 'A browser has no modules of Node.',
      from: { path: '^client/web/', pathNot: 'vite\\.config' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'page-is-loaded-by-browsers-only',
      severity: 'error',
      comment: 'It is built into files of its own, and its packages are not installed with ours.',
      from: { path: '^(?!client/web/)', pathNot: '^test/' },
      to: { path: '^client/web/' },
    },
    {
      name: 'one-folder-speaks-mcp',
      severity: 'error',
      comment: 'The client library changes with the protocol: one folder adapts to it.',
      from: { path: '^(?!activities/mcp/client/)', pathNot: '^(test|examples|node_modules)/' },
      to: { path: '^node_modules/@modelcontextprotocol/client' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      comment: 'What others need from it belongs into a room.',
      from: { path: '^(?!cli/)', pathNot: '^test/' },
      to: { path: '^cli/' },
    },
    {
      name: 'product-needs-no-tests',
      severity: 'error',
      comment: 'Only test/kit/ is part of the package, and only examples and tests use it.',
      from: { path: `^(${rooms.join('|')})/` },
      to: { path: '^(test|examples|bench)/' },
    },
    {
      name: 'kit-needs-no-jest',
      severity: 'error',
      comment: 'Users test with what they like.',
      from: { path: '^test/kit/' },
      to: { path: '(^test/(?!kit/)|node_modules/(jest|@jest))' },
    },
    {
      name: 'examples-are-written-as-users-write',
      severity: 'error',
      comment: 'They import the package by its public names only.',
      from: { path: '^examples/' },
      to: { path: `^(${rooms.join('|')})/(?!(gateway/)?index\\.ts)` },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'A circle is one room pretending to be two.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'require', 'node', 'default'] },
  },
};
