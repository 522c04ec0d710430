import type { PendingApproval } from '../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../agent/conversation/questions';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { shorten } from '../../../agent/values/shorten';
import { ChatAsk } from '../../../cli/chat/ask';
import { askLine } from '../../../cli/chat/asks';
import { editArguments } from '../../../cli/inbox/edit';
import { callDetails, questionDetails, waitingLabels } from '../../../cli/inbox/lines';
import { ChatLines } from '../../../cli/lines/chat-lines';
import { factLine } from '../../../cli/lines/facts/fact-line';
import { waitRows } from '../../../cli/show/waits';
import { plainLines } from '../../../cli/terminal/style';
import { repliedLine } from '../../../cli/waits/answer';
import { decidedLine } from '../../../cli/waits/decide';
import { grantLines } from '../../../cli/waits/grants';
import { say, warn } from '../../../runtime/print';
import { code } from '../../../workflows/view/code-text';
import { toolSummary } from '../../../workflows/view/summaries';
import { said } from '../said';

/** Characters that reverse text, are invisible here, are invisible on any screen, or control a terminal. */
const EVIL = 'pay\u202e\u200b\u{e0041}\x1b[2J';
const HIDDEN = /[^\P{Cc}\n\t]|\p{Default_Ignorable_Code_Point}/u;

const call: PendingApproval = {
  id: EVIL,
  agent: 'a.b',
  owner: EVIL,
  toolUseId: 't1.1',
  tool: EVIL,
  input: { to: EVIL, [EVIL]: 1 },
  hash: 'h',
  requestedAt: 0,
  deciders: [EVIL],
};
const question: PendingQuestion = {
  id: EVIL,
  agent: 'a.b',
  toolUseId: 't1.1',
  questionId: 't1.1',
  tool: EVIL,
  question: EVIL,
  suggestions: [EVIL],
  url: `https://example.com/${EVIL}`,
  askedAt: 0,
};

function shows(what: string): void {
  expect(what).not.toMatch(HIDDEN);
  expect(what).toMatch(/‹U\+202E›|\\u202e|\\U0000202e/);
}

test('a call, a question and a decision hide nothing, wherever they are shown', () => {
  const requested = { type: 'approval.requested', seq: 1, time: 0, ...call, name: EVIL } as unknown as Fact;
  const lines = new ChatLines(() => true);
  const chatted = lines.note({ type: 'tool.call', seq: 1, time: 0, ...call, name: EVIL } as unknown as Fact, 0);
  for (const text of [
    callDetails(call, 0),
    questionDetails(question, 0),
    ...waitingLabels([call, question], 0, 500),
    ...plainLines(askLine(call, 'x')).slice(0, 1),
    ...plainLines(askLine(question, 'x')).slice(0, 1),
    ...waitRows('x', { approvals: [call], questions: [question], services: [], models: [] }).map((row) =>
      row.join(' '),
    ),
    factLine(requested),
    ...chatted.flatMap(plainLines),
    decidedLine({ decision: 'approve', by: EVIL, at: 0 }, { id: 'x', toolUseId: 't1.1', tool: EVIL }),
    repliedLine('answered', { id: EVIL, questionId: 't1.1', by: 'ann' }),
    grantLines('a.b', [{ tool: EVIL, key: EVIL, allowed: true, by: EVIL, at: 0, comment: EVIL }])[1] ?? '',
  ]) {
    shows(text);
  }
});

test('the status page and summaries in the Web UI hide nothing', () => {
  shows(code(EVIL));
  shows(shorten(EVIL, 100));
  const inputSchema = { properties: { [EVIL]: {} } };
  shows(toolSummary({ inputSchema }, 1, { toolUseId: 't1.1', input: { [EVIL]: 1 } }));
});

test('a menu of the chat hides nothing, nor does the text that a person edits', async () => {
  const nothing = () => undefined;
  const terminal = { draw: nothing, menu: nothing, show: nothing, problem: nothing, note: nothing };
  const ask = new ChatAsk({ ...terminal, alone: (work) => work() }, new AbortController().signal);
  void ask.pick(EVIL, [{ key: 'a', value: 'a', label: EVIL, hint: EVIL }]);
  for (const row of ask.rows.slice(0, 2)) shows(row);
  let initial = '';
  const askLines = async (_: string, text: string) => {
    initial = text;
    return text.replace(': 1', ': 2');
  };
  expect(await editArguments(call.input, { prompts: { askLines }, env: {} })).toEqual({
    input: { to: EVIL, [EVIL]: 2 },
  });
  shows(initial);
});

test('all output of commands goes through one place, which hides nothing', async () => {
  const { out, err } = await said(async () => {
    say(EVIL);
    warn(EVIL);
    return 0;
  });
  shows(out);
  shows(err);
});
