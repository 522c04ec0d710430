// An MCP server without any SDK that reveals its secrets wherever it can. `dies` fails to start.
import { createInterface } from 'node:readline';

const { API_KEY, PRIVATE_KEY } = process.env;
const say = (line) => process.stderr.write(`${line}\n`);
const spill = () => {
  say(`starting with ${API_KEY}`);
  say(PRIVATE_KEY);
  say(JSON.stringify(process.env));
  // Where a text is cut, half of a secret is left.
  for (let length = 260; length <= 310; length += 5) say(`${'.'.repeat(length)} ${API_KEY}`);
  process.stderr.write(`${'x '.repeat(1000)}${API_KEY} ${'y '.repeat(1000)}`);
  say('');
};

spill();
if (process.argv[2] === 'dies') {
  say(`${'.'.repeat(285)} ${API_KEY}`);
  process.exit(3);
}

const text = (value, more = {}) => ({ result: { content: [{ type: 'text', text: value }], ...more } });
const tools = {
  fail: () => text(`401: the key ${API_KEY} was refused`, { isError: true }),
  refuse: () => ({ error: { code: -32000, message: `no access with ${API_KEY}` } }),
  nonsense: () => ({ result: { content: [], isError: `no flag but ${API_KEY}` } }),
  nothing: () => ({ result: null, said: `nothing but ${API_KEY}` }),
  crash() {
    say(`${'.'.repeat(285)} ${API_KEY}`);
    process.exit(7);
  },
  work(params) {
    const { progressToken } = params._meta ?? {};
    const progress = { progressToken, progress: 1, message: `using ${API_KEY}` };
    send({ method: 'notifications/progress', params: progress });
    return text('worked');
  },
};
const answers = {
  initialize: () => ({
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'leaky', version: '1' },
    },
  }),
  'tools/list': () => ({
    result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) },
  }),
  'tools/call': (params) => tools[params.name](params),
};

function send(message) {
  console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const none = { error: { code: -32601, message: `Method not found: ${method}` } };
  send({ id, ...(answers[method]?.(params) ?? none) });
});
