import { agentService, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../fault';

const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more });
const tool = defineTool({ description: 'Looks', input: z.object({}), run: () => 'x' });
const asks = (question: object | string) => agent({ questions: { ask_it: question } });

it.each<[string, () => unknown, string[]]>([
  ['a mode that is none', agent({ mode: 'chat' }), ['a.b`.mode', '`conversation`', '`chat`']],
  ['a task that waits for messages', agent({ idle: '7d' }), ['a.b`.idle', "mode: 'conversation'"]],
  ['a wait that is no duration', agent({ mode: 'conversation', idle: 'soon' }), ['a.b`.idle', "'7d'", '`soon`']],
  ['a tool of the loop that is none', agent({ loopTools: ['ask'] }), ['loopTools', '`ask`', '`ask_question`']],
  ['tools of the loop that are no list', agent({ loopTools: 'converse' }), ['loopTools', '`task_completion`']],
  ['a question without a description', asks({ answer: z.string() }), ['questions.ask_it.description', 'what to ask']],
  ['a question that is none', asks('Well?'), ['questions.ask_it', 'answer']],
  ['a question with a field too many', asks({ description: 'x', sugestions: [] }), ['ask_it.sugestions']],
  ['an answer that is no schema', asks({ description: 'x', answer: 'text' }), ['ask_it.answer', 'z.object']],
  ['an expiry that is none', asks({ description: 'x', expires: 'never' }), ['ask_it.expires', '`never`']],
  ['an end that is none', asks({ description: 'x', onExpire: 'deny' }), ['ask_it.onExpire', '`tell`', '`deny`']],
  ['a tool with the name of one of the loop', agent({ tools: { converse: tool } }), ['tools.converse', 'loopTools']],
  ['a question with the name of one', agent({ questions: { task_completion: {} } }), ['questions.task_completion']],
  [
    'a `converse` that asks for more than a text',
    agent({ questions: { converse: { answer: z.number() } } }),
    ['converse', 'expires'],
  ],
  [
    'a wait of an MCP tool that is none',
    agent({ mcp: { desk: 'd' }, policies: { 'desk.book': { questionsExpire: 'x' } } }),
    ['questionsExpire'],
  ],
  [
    'a question with the name of a tool',
    agent({ tools: { ask_it: tool }, questions: { ask_it: { description: 'x' } } }),
    ['ask_it'],
  ],
  ['a conversation as a service', () => agentService(agent({ mode: 'conversation' })()), ['`a.b`', 'a task']],
])('%s is refused', (_, define, parts) => {
  const message = fault(define);
  for (const part of parts) expect(message).toContain(part);
});

it('how long `ask_question` waits may be said without describing it anew', () => {
  expect(agent({ questions: { converse: { expires: '3d' } } })).not.toThrow();
  expect(agent({ questions: { ask_question: { expires: '3d', onExpire: 'fail' } } })).not.toThrow();
});
