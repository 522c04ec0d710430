import {
  agentService,
  childWorkflow,
  defineAgent,
  defineContract,
  defineTool,
  eventService,
  humanReview,
  signalService,
} from 'holdfast';
import { viewAgent } from '../../../../cli/show/agent/agent';
import { agentLines } from '../../../../cli/show/agent/agent-lines';
import type { Config } from '../../../../runtime/config/config';
import { agent, input, old, openConfig, run } from './triage';

let config: Config;
beforeAll(async () => {
  config = await openConfig();
});

const Stock = defineContract({
  type: 'stock.check',
  versions: { '1.0.0': { accepts: input, emits: { 'evt.stock.check.success': input } } },
});
const clerk = defineAgent({
  name: 'shop.clerk',
  model: 'fast',
  replies: 'crm-events',
  tools: {
    refund: defineTool({
      description: 'x',
      inputSchema: input,
      execute: run,
      approval: { when: () => true, expires: '3d', deciders: ['role:finance'] },
    }),
    wipe: defineTool({
      description: 'x',
      inputSchema: input,
      execute: run,
      approval: { expires: '1d', onExpire: { escalate: ['role:board', 'role:founders'], expires: '2h' } },
    }),
    plain: defineTool({ description: 'x', inputSchema: input, execute: run }),
  },
  mcp: { shop: { ...old, approval: 'always' } },
  services: {
    stock: childWorkflow(Stock, '1.0.0', {
      workflow: 'checkStock',
      taskQueue: { eu: 'q-eu', us: 'q-us' },
      domain: ['eu', 'us'],
    }),
    carrier: eventService(Stock, '1.0.0', { outlet: 'webhook', to: 'com.carrier', timeout: '14d', approval: 'always' }),
    legal: agentService(agent),
    ask: signalService(humanReview, '1.0.0'),
  },
  policies: { stock: { timeout: '2d' }, plain: { approval: { expires: '2h', onExpire: 'fail' } } },
});

it('shows who answers services, and who decides on approvals', async () => {
  const view = await viewAgent(clerk, config);
  expect(view.tools.some(({ kind }) => kind === 'service')).toBe(false);
  expect(view.services[0]).toEqual({
    name: 'stock',
    modelName: 'stock',
    contract: 'stock.check@1.0.0',
    execution: 'parallel',
    accepts: 'com.stock.check',
    kind: 'child',
    workflow: 'checkStock',
    taskQueue: 'q-eu',
    domain: 'eu',
    domains: { us: 'q-us' },
    parentClosePolicy: 'cancel',
    priority: 0,
    timeout: 172_800_000,
    fromPolicies: ['timeout'],
  });
  expect(view.approvals[0]).toEqual({
    tool: 'refund',
    calls: 'when',
    deciders: ['role:finance'],
    expires: 259_200_000,
    onExpire: 'deny',
    from: 'tool',
  });
  const lines = agentLines(view);
  const table = lines.slice(lines.findIndex((line) => line.startsWith('service ')));
  expect(table).toEqual([
    'service  contract              who answers                     timeout  priority  not by default',
    'stock    stock.check@1.0.0     workflow checkStock on q-eu     2 d      0         timeout: policies, domain: eu, us',
    'carrier  stock.check@1.0.0     outlet webhook, to com.carrier  14 d     0',
    'legal    support.triage@1.0.0  agent support.triage            none     0',
    'ask      human.review@1.0.0    any client or person            none     2',
    '',
    'approval  calls             said by   who decides',
    'refund    as `when` says    tool      role:finance within 3 d, else denied',
    'wipe      all               tool      anybody within 24 h, else role:board, role:founders within 2 h, else denied',
    'plain     all               policies  anybody within 2 h, else the run fails',
    'carrier   all               service   anybody',
    'shop.…    all of all tools  server    anybody',
  ]);
  expect(table.every((line) => line.length <= 120)).toBe(true);
  expect(lines).toContain('replies  through the outlet crm-events');
});

it('a server whose tools have different approvals is shown tool by tool', async () => {
  const { definition } = clerk;
  const one = { ...definition, policies: { 'shop.pid': { approval: 'never' as const } } };
  const lines = agentLines(await viewAgent({ name: 'shop.clerk', definition: one }, config));
  expect(lines.some((line) => line.startsWith('shop.…'))).toBe(false);
  expect(lines.filter((line) => /^shop\.env +all +server +anybody$/.test(line))).toHaveLength(1);
  expect(lines.some((line) => /^shop\.pid +all/.test(line))).toBe(false);
});
