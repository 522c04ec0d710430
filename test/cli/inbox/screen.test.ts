import type { PendingApproval } from '../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../agent/conversation/questions';
import { HoldfastError } from '../../../agent/errors/error';
import { editArguments, editedFrom } from '../../../cli/inbox/edit';
import { isQuestion, type Waiting } from '../../../cli/inbox/lines';
import type { ListPrompts } from '../../../cli/inbox/prompts';
import type { SentMessage } from '../../../cli/inbox/question';
import { type Choice, type InboxScreen, inboxScreen } from '../../../cli/inbox/screen';

const call: PendingApproval = {
  id: 'mail-1',
  agent: 'support.triage',
  toolUseId: 't1.1',
  tool: 'refund',
  input: { amount: 90 },
  hash: 'h',
  requestedAt: 0,
};

/** A person who gives these answers in order. `undefined` is Escape. */
function person(...answers: (string | undefined)[]) {
  const seen: string[] = [];
  const next = async (message: string) => {
    seen.push(message);
    if (answers.length === 0) throw new Error(`Unexpected prompt: ${message}`);
    return answers.shift();
  };
  const prompts: ListPrompts = {
    begin: (line) => seen.push(line),
    end: (line) => seen.push(line),
    show: (text) => seen.push(text),
    say: (kind, line) => seen.push(`${kind}: ${line}`),
    choose: async (message, options) => {
      const answer = await next(message);
      return options.find(({ value }) => value === answer)?.value;
    },
    pick: async (message, options) => {
      const answer = await next(message);
      return options.find(({ key }) => key === answer)?.value;
    },
    ask: next,
    askLines: next,
  };
  return { prompts, seen };
}

/** An inbox of these calls and questions. Decided ones disappear. */
function inboxOf(prompts: ListPrompts, all: Waiting[], more: Partial<InboxScreen> = {}) {
  const made: [string, Choice][] = [];
  const replies: [string, SentMessage][] = [];
  const screen: InboxScreen = {
    prompts,
    decider: { by: 'ann', roles: ['finance'] },
    list: async () => ({
      waiting: all.filter((one) =>
        isQuestion(one)
          ? !replies.some(([question]) => question === one.questionId)
          : !made.some(([decided]) => decided === one.id),
      ),
      unanswered: 0,
    }),
    decide: async ({ id }, choice) => {
      made.push([id, choice]);
      return { decision: choice.decision, by: 'ann', at: 0 };
    },
    reply: async ({ questionId }, answer) => void replies.push([questionId, answer]),
    edit: async () => ({ input: { amount: 5 } }),
    now: () => 0,
    width: 100,
    ...more,
  };
  return { made, replies, done: inboxScreen(screen) };
}

describe('the inbox', () => {
  it('says that it is empty', async () => {
    const { prompts, seen } = person();
    await inboxOf(prompts, []).done;
    expect(seen).toEqual(['Inbox of ann (finance)', 'Nothing waits for a person.']);
  });

  it('takes decisions one after the other until nothing waits', async () => {
    const { prompts, seen } = person('1', 'r', 'a', '0', 'd', 'too much', '0', 'e', 'e', 'a');
    const ids = ['mail-1', 'mail-2', 'mail-3'];
    const { made, done } = inboxOf(
      prompts,
      ids.map((id) => ({ ...call, id })),
    );
    await done;
    expect(made).toEqual([
      ['mail-2', { decision: 'approve', remember: 'run' }],
      ['mail-1', { decision: 'deny', remember: 'once', reason: 'too much' }],
      ['mail-3', { decision: 'edit', input: { amount: 5 } }],
    ]);
    expect(seen).toContain('done: approved t1.1 refund of mail-2 by ann');
    expect(seen.at(-1)).toBe('Nothing waits for a person.');
  });

  it('leaves out hints that would break the lines of a narrow terminal', async () => {
    const hints = async (width: number) => {
      const { prompts } = person();
      const seen: unknown[] = [];
      const choose: ListPrompts['choose'] = async (_message, [first]) => {
        seen.push(first?.hint);
        return 'leave';
      };
      await inboxOf({ ...prompts, choose }, [call], { width }).done;
      return seen;
    };
    expect(await hints(100)).toEqual(['for anybody']);
    expect(await hints(34)).toEqual([undefined]);
  });

  it('shows a refusal in one line, and goes on', async () => {
    const { prompts, seen } = person('0', 'a', 'again', 'leave');
    const decide = async () => {
      throw new HoldfastError('NotADecider', { id: 'mail-1', toolUseId: 't1.1', by: 'ann', deciders: ['boss'] });
    };
    await inboxOf(prompts, [call], { decide }).done;
    expect(seen.filter((line) => line.startsWith('problem: '))).toEqual([
      'problem: `ann` may not decide on the call `t1.1` of the run `mail-1`; the deciders are `boss`.',
    ]);
    expect(seen.at(-1)).toBe('One call waits.');
  });

  it('decides nothing if the person steps back', async () => {
    const { prompts } = person(
      '0',
      's',
      '0',
      undefined,
      '0',
      'd',
      undefined,
      '0',
      'e',
      's',
      '0',
      'e',
      undefined,
      undefined,
    );
    const { made, done } = inboxOf(prompts, [call]);
    await done;
    expect(made).toEqual([]);
  });

  it('remembers nothing about a call of unknown outcome', async () => {
    const { prompts } = person('0', 'r', '0', 'a');
    const { made, done } = inboxOf(prompts, [{ ...call, repeats: 't1.0' }]);
    await done;
    expect(made).toEqual([['mail-1', { decision: 'approve', remember: 'once' }]]);
  });

  it('decides nothing if editing changed nothing or broke the arguments', async () => {
    const { prompts, seen } = person('0', 'e', '0', 'e', 'leave');
    const results = [undefined, { problem: 'That is not valid JSON' }];
    const { made, done } = inboxOf(prompts, [call], { edit: async () => results.shift() });
    await done;
    expect(made).toEqual([]);
    expect(seen).toContain('problem: The arguments are as before; nothing was decided.');
    expect(seen).toContain('problem: That is not valid JSON');
  });
});

describe('questions in the inbox', () => {
  const question: PendingQuestion = {
    id: 'mail-2',
    agent: 'support.triage',
    toolUseId: 't2.1',
    questionId: 't2.1',
    tool: 'ask_question',
    question: 'Which account?',
    suggestions: ['A-1', 'A-2'],
    askedAt: 0,
  };

  it('are answered with a suggestion, or with typed text', async () => {
    const { prompts, seen } = person('1', '2', '1', 't', 'B-7', 'leave');
    const { replies, done } = inboxOf(prompts, [call, question, { ...question, questionId: 't2.2' }]);
    await done;
    expect(replies).toEqual([
      ['t2.1', { answer: 'A-2' }],
      ['t2.2', { answer: 'B-7' }],
    ]);
    expect(seen).toContain('One call and 2 questions wait');
    expect(seen.join('\n')).toContain('question  t2.1 ask_question\nrun       mail-2');
    expect(seen).toContain('done: answered t2.1 of mail-2 by ann');
    expect(seen.at(-1)).toBe('One call waits.');
  });

  it('are declined with a reason, or left for later', async () => {
    const { prompts, seen } = person('0', 's', '0', 'd', undefined, '0', 'd', 'private');
    const { replies, done } = inboxOf(prompts, [question]);
    await done;
    expect(replies).toEqual([['t2.1', { decline: true, reason: 'private' }]]);
    expect(seen).toContain('done: declined t2.1 of mail-2 by ann');
  });

  it('accept what their schema requires: the given values, or JSON', async () => {
    const { prompts } = person('0', '2', '0', '1', '0', 't', '{"name": "Ann"}');
    const { replies, done } = inboxOf(prompts, [
      { ...question, questionId: 'yes', suggestions: [], schema: { type: 'boolean' } },
      { ...question, questionId: 'pick', suggestions: [], schema: { enum: [3, 5] } },
      {
        ...question,
        questionId: 'form',
        suggestions: [],
        schema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    ]);
    await done;
    expect(replies).toEqual([
      ['yes', { answer: false }],
      ['pick', { answer: 3 }],
      ['form', { answer: { name: 'Ann' } }],
    ]);
  });

  it('still wait after an answer that does not fit', async () => {
    const { prompts, seen } = person('0', '1', 'leave');
    const refused = new HoldfastError('InvalidReply', { id: 'mail-2', questionId: 't2.1', problem: 'no account' });
    const { done } = inboxOf(prompts, [question], { reply: () => Promise.reject(refused) });
    await done;
    expect(seen).toContain(`problem: ${refused.message}`);
    expect(seen.at(-1)).toBe('One question waits.');
  });
});

describe('editing arguments', () => {
  const noPrompts = { askLines: () => Promise.reject(new Error('No prompt is due')) };

  it('opens the editor with the arguments as JSON', async () => {
    const prompts = noPrompts;
    expect(await editArguments({ amount: 90 }, { prompts, env: { EDITOR: 'sed -i s/90/5/' } })).toEqual({
      input: { amount: 5 },
    });
    expect(await editArguments({ amount: 90 }, { prompts, env: { EDITOR: 'true' } })).toBeUndefined();
    expect(await editArguments({ amount: 90 }, { prompts, env: { EDITOR: 'false' } })).toBeUndefined();
  });

  it('accepts only an object', () => {
    expect(editedFrom('{}', '{')).toMatchObject({ problem: expect.stringContaining('not valid JSON') });
    expect(editedFrom('{}', '[1]')).toMatchObject({ problem: expect.stringContaining('an object') });
  });
});

describe('runs that wait and do not answer', () => {
  it('are named where nothing else waits: it is not known that nothing does', async () => {
    const { prompts, seen } = person();
    await inboxOf(prompts, [], { list: async () => ({ waiting: [], unanswered: 2 }) }).done;
    expect(seen.at(-1)).toBe('2 runs that wait did not answer: is their worker running?');
  });

  it('are named above the others, again only if there are more or fewer', async () => {
    const { prompts, seen } = person('again', 'again', 'leave');
    const counts = [1, 1, 3];
    const list = async () => ({ waiting: [call], unanswered: counts.shift() ?? 0 });
    await inboxOf(prompts, [], { list }).done;
    expect(seen.filter((line) => line.startsWith('problem'))).toEqual([
      'problem: One run that waits did not answer: is its worker running?',
      'problem: 3 runs that wait did not answer: is their worker running?',
    ]);
  });
});
