import type * as answers from '../../../agent/prompts/answers';
import type * as breakers from '../../../agent/prompts/breakers';
import type * as budget from '../../../agent/prompts/budget';
import type * as failedCalls from '../../../agent/prompts/calls/failed-calls';
import type * as mcpCalls from '../../../agent/prompts/calls/mcp-calls';
import type * as refusedCalls from '../../../agent/prompts/calls/refused-calls';
import type * as results from '../../../agent/prompts/calls/results';
import type * as services from '../../../agent/prompts/calls/services';
import type * as textCalls from '../../../agent/prompts/calls/text-calls';
import type * as undo from '../../../agent/prompts/calls/undo';
import type * as compaction from '../../../agent/prompts/compaction';
import type * as nudges from '../../../agent/prompts/nudges';
import type * as output from '../../../agent/prompts/output';
import type * as plans from '../../../agent/prompts/plans';
import type * as questions from '../../../agent/prompts/questions';
import type * as sections from '../../../agent/prompts/sections';
import type * as builtInTools from '../../../agent/prompts/tools/built-in-tools';
import type * as files from '../../../agent/prompts/tools/files';
import type * as searchTools from '../../../agent/prompts/tools/search-tools';
import type * as skills from '../../../agent/prompts/tools/skills';
import type { ToolSpec } from '../../../agent/protocol/manifest';

/** Arguments for each function of a file of prompts; nothing for a text that has no gaps. */
export type Samples<Prompts> = {
  readonly [Name in keyof Prompts]: Prompts[Name] extends (...args: infer Args) => string
    ? readonly [Args, ...Args[]]
    : Prompts[Name] extends string
      ? null
      : Samples<Prompts[Name]>;
};

const photo = { type: 'media', mediaType: 'image/png', data: 'AAAA', name: 'photo.png' } as const;
const unnamed = {
  effect: 'read',
  priority: 0,
  timeout: 1000,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
} as const;
const look: ToolSpec = {
  ...{ ...unnamed, kind: 'internal', name: 'look.up', modelName: 'look_up', description: 'Look a word up' },
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};
const read: ToolSpec = {
  ...{ ...unnamed, kind: 'mcp', name: 'files.read', modelName: 'files_read', description: 'Read a file' },
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  mcp: { server: 'files', tool: 'read', startTimeout: 1000 },
};
const address = { server: 'files', tool: 'read' };
const chain = 'desk.a → desk.b → desk.a';
const call = 't2.1 `book` {"room":7}';

export const BREAKERS: Samples<typeof breakers> = {
  justMade: [['lookup']],
  madeByPlan: [['lookup']],
  madeTwice: [['lookup']],
  failedAgainAndAgain: [['lookup', 5]],
  sameCallFails: [['lookup', 5]],
  toolWithdrawn: [['lookup']],
  withdraws: [['lookup', 3]],
  onlyFailures: [[['lookup', 'note']], [[]]],
  concludeRepeating: [[]],
  concludeSilent: [[]],
  noAnswer: [[]],
};

export const NUDGES: Samples<typeof nudges> = {
  goOn: [[]],
  doTheWork: [[]],
  nothingChanged: [[]],
};

export const BUDGET: Samples<typeof budget> = {
  budgetRunsOut: [
    ['tokens', 83],
    ['deadline', 90],
  ],
  budgetIsUsedUp: [['cost']],
  noCallsLeft: [['lookup']],
  nothingLeftFor: [['legal']],
};

export const ANSWERS: Samples<typeof answers> = {
  emptyAnswer: [[]],
  noAnswer: [[]],
  noCall: [[]],
  conclude: [[25]],
  earlierMessagesLeftOut: [[]],
  answerCut: [[6000, 30_000]],
  outputDoesNotFit: [
    ['city: is required', { isText: false, schema: '{"type":"object","required":["city"]}' }],
    ['must be object', { isText: true, schema: '{"type":"object"}' }],
  ],
  outputTooComplex: [['made of more than 20000 values']],
  outputRefused: [[]],
  outputTooDeep: [[]],
  outputTooLarge: [[2_000_000]],
  taskCompleted: [[]],
  completionRejected: [['task_completion', 'Your answer was empty. Answer the task, or call a tool.']],
};

export const OUTPUT: Samples<typeof output> = {
  answerWithJson: [
    ['{"type":"object","required":["city"]}', { hasTools: false }],
    ['{"type":"object","required":["city"]}', { hasTools: true }],
  ],
  answerWithText: [['{"type":"string","maxLength":80}', { hasTools: false }]],
};

export const BUILT_IN_TOOLS: Samples<typeof builtInTools> = {
  ASK_QUESTION: { description: null, question: null, suggestions: null, answerSchema: null },
  CONVERSE: { description: null, message: null },
  TASK_COMPLETION: { description: null, result: null },
  TOOL_APPROVAL: { description: null, message: null, tools: null },
  HUMAN_REVIEW: { description: null, prompt: null },
  LIST_DIRECTORY: { description: null },
  READ_FILE: { description: null },
  FILE_PATH: null,
};

export const REFUSED_CALLS: Samples<typeof refusedCalls> = {
  unknownTool: [
    ['boook', { near: ['book'], known: ['book', 'cancel'] }],
    ['weather', { near: [], known: ['book', 'cancel'] }],
    ['weather', { near: [], known: [] }],
  ],
  tooManyCalls: [[]],
  repeatsUnknownOutcome: [['book', 't2.1']],
  argumentsDoNotFit: [['city: is required; days: must be integer']],
  argumentsUnchecked: [['it takes more than 1 s']],
  argumentsRefused: [[{ problem: 'must be object' }], [{ problem: 'A sentence of its own', unchecked: true }]],
  argumentsNotJson: [['{"city": Berlin']],
  argumentsTooLarge: [['made of more than 20000 values']],
  argumentsTooDeep: [[]],
  callCut: [[]],
  argumentsUnfinished: [[]],
  denied: [
    ['book', { by: 'ann', comment: 'too expensive' }],
    ['book', { by: 'ann' }],
    ['book', {}],
  ],
  approvalExpired: [['book']],
  cancelledBeforeRun: [['book']],
  notRun: [['book', 'its arguments could not be read from their storage.']],
  notAvailable: [['book', 'no worker has the tool `book`.']],
  noWorkerHasTool: [['book']],
  noWorkerHasAgent: [[]],
  inputUnread: [[]],
  neverStarted: [['book']],
  delegationRefused: [['desk.a', `it would wait for itself (${chain})`]],
  DELEGATION_PROBLEM: { cycle: [[chain]], depth: [[8, chain]] },
};

export const COMPACTION: Samples<typeof compaction> = {
  summarise: [[500]],
  toSummarise: [['user: Book a room.'], ['user: Book a room.', 'Goal: a quiet room.']],
  messagesSkipped: [[12]],
  summaryOfEarlier: [['Goal: a quiet room.\nOpen: pay for it.']],
  resultShortened: [['t2.1', 12_345]],
  wrapUp: [[]],
  goOn: [[]],
};

export const PLANS: Samples<typeof plans> = {
  withInstructions: [
    [undefined, 'Plan.'],
    ['You are careful.', 'Plan.'],
  ],
  planTask: [
    [
      [
        { name: 'files.move_file', server: 'files', description: 'Moves or renames files' },
        { name: 'lookup', description: 'Looks up a name' },
      ],
      10,
    ],
  ],
  planNow: [[]],
  pickTool: [[]],
  doStep: [
    [{ step: 1, of: 3, description: 'Read the image' }],
    [{ step: 2, of: 3, description: 'Rename it', hints: '{"source":"a.png"}' }, 'It called no tool.'],
  ],
  noToolCalled: [[]],
  madeByAnotherStep: [['pay']],
  answerFromResults: [[]],
  answerNow: [[[]], [[{ step: 2, problem: 'the file is locked' }]]],
  planGivenUp: [
    [
      [
        { step: 1, description: 'Read the image', status: 'done' },
        { step: 2, description: 'Rename it', status: 'failed' },
        { step: 3, description: 'Tell the user', status: 'open' },
      ],
      'step 2: the file is locked',
    ],
  ],
  callInWords: [['book', '{"room":12}']],
  resultInWords: [
    ['book', false],
    ['book', true],
  ],
  FOLLOW_PLAN: { description: null, steps: null },
  planApproved: [[]],
  planUnreadable: [['the plan has no steps']],
};

export const FAILED_CALLS: Samples<typeof failedCalls> = {
  toolFailed: [['book', 'no room is free']],
  failedWithoutReason: [['book']],
  noResult: [['book', 'its worker died or stopped answering.']],
  noResultInTime: [['book', 30]],
  noResultAsItBlocked: [['book', 31.5]],
  blockedWorker: [[31.5]],
  outcomeUnknown: [['book', 'its worker died or stopped answering.']],
  mayHaveActed: [['book', 'its worker died or stopped answering.']],
  unknownFromEarlier: [['book', 'no worker has the tool `book`.']],
  LOST: { worker: null, shutdown: null, cancel: null, unreadable: null, unwritten: null, answer: null, attempt: null },
  cancelled: [['book']],
  resultUnwritable: [['book', '`seats` is a promise: await it']],
  resultDoesNotFit: [['book', 'room: must be integer']],
};

export const RESULTS: Samples<typeof results> = {
  resultCut: [[20_000, 73_500]],
  resultTooLarge: [['book', 3_000_000]],
  resultTooDeep: [['book']],
  emptyResult: [[]],
  nothingReturned: [[]],
  argumentsEdited: [['{"room":8}', 'ann'], ['{"room":8}']],
  mediaOfResult: [['camera']],
  announcedMedia: [[photo]],
  maskedMedia: [[photo]],
  omittedMedia: [[photo], [{ type: 'media', mediaType: 'audio/wav', url: 'https://example.com/a.wav' }]],
  unopenedMedia: [[{ type: 'media', mediaType: 'application/pdf', url: 'https://example.com/a.pdf', name: 'a.pdf' }]],
  formatOf: [[photo], [{ mediaType: 'audio' }]],
};

export const QUESTIONS: Samples<typeof questions> = {
  questionEmpty: [['ask_question']],
  questionWithdrawn: [[]],
  questionDeclined: [[''], ['I do not know']],
  questionExpired: [[]],
  messageSent: [[]],
  asksPerson: [['book']],
  asksTooOften: [['book', 10]],
  cancelledWhileAsking: [['book']],
};

export const UNDO: Samples<typeof undo> = {
  wasUndone: [[call, 'room 7 is free again']],
  undoFailed: [[call, '`undo of book` failed: the hotel is closed']],
  undoUnknown: [[call, 'It is unknown whether `undo of book` took effect: its worker was lost during the call.']],
  undoOf: [['book']],
  UNDO_PROBLEM: {
    noTool: [['book']],
    noWorker: [['book']],
    arguments: [['room: is required']],
    tooLate: [['hotel.book', 30]],
    threw: [['hotel.book', 'no id in the result']],
    noCall: [['hotel.book']],
    unknownTool: [['hotel.book', 'hotel.cancel']],
    wrongTool: [['hotel.book', 'ask_question']],
    asks: [['hotel.cancel']],
  },
};

export const SERVICES: Samples<typeof services> = {
  serviceDescription: [['stock.check']],
  answerEvent: [['evt.stock.check.success']],
  serviceTimedOut: [['stock_check', '30 s']],
  serviceFailed: [['stock_check', 'OutOfOrder: the shop is closed']],
  noReason: [[]],
  CHILD_ENDED: { cancelled: null, timedOut: null, terminated: null },
  childEnded: [
    ['stock_check', 'cancelled'],
    ['stock_check', 'timedOut'],
    ['stock_check', 'terminated'],
  ],
  childIdTaken: [['stock_check', 'run-1/t1.1']],
  childIdTooLong: [['stock_check', 1000]],
  unreachable: [['stock_check', 'The outlet `shop` could not send the event: HTTP 404.']],
  invalidAnswer: [['stock_check', 'count: is required']],
  ANSWER_PROBLEM: {
    unchecked: null,
    tooDeep: null,
    noService: [['stock_check']],
    type: [['evt.stock.sold', ['evt.stock.check.success', 'evt.stock.check.none']]],
    fitsNone: [
      [
        [
          ['evt.stock.check.success', 'count: is required'],
          ['evt.stock.check.none', 'since: is required'],
        ],
      ],
    ],
    schema: [['#/stock/2.0.0', '#/stock/1.0.0']],
  },
  answerTooLarge: [['stock_check', 3_000_000]],
  answerUnchecked: [['stock_check', 'timed out']],
  answerCancelled: [['stock_check']],
};

export const MCP_CALLS: Samples<typeof mcpCalls> = {
  mcpAsked: [['hotel', 'something without a name, which a person cannot give']],
  CANNOT_ASK: {
    tooMany: [[20, 16]],
    tooLarge: [[70_000, 65_536]],
    method: [['sampling/createMessage']],
    nameless: null,
    noQuestion: null,
    noPage: null,
    mode: [['"video"']],
    noFields: null,
    brokenForm: [['it has 300 properties, at most 200 are used']],
  },
  mcpAnswered: [['hotel', 'with an invalid result: content: is required']],
  MCP_ANSWER: { tooDeep: [[100]], invalid: [['content: is required']] },
  mcpRefused: [['hotel', 'Invalid params']],
  calledAgain: [[11]],
  mcpUnsent: [['hotel', 'nothing listens there']],
  mcpEnded: [['hotel', 'exited with code 1']],
  mcpTimedOut: [['hotel_book', 30]],
};

const path = 'notes/may.txt';

export const FILES: Samples<typeof files> = {
  emptyFolder: [[]],
  emptyFile: [[]],
  badPath: [['7']],
  badOffset: [['-1']],
  pathWithZero: [[]],
  noRoot: [[]],
  noSuchPath: [[path]],
  outsideRoot: [['../secrets']],
  tooManyLinks: [[path]],
  cannotOpen: [
    [path, 'EACCES'],
    [path, undefined],
  ],
  neitherFileNorFolder: [[path]],
  changedMeanwhile: [[]],
  isFile: [[path]],
  isFolder: [['notes']],
  isBinary: [[path, 512]],
  imageTooLarge: [['photo.png', 9_000_000]],
  pastEnd: [[path, { bytes: 100, offset: 200 }]],
  pieceOfFile: [[{ from: 0, to: 524_288, bytes: 1_000_000 }]],
  folderCut: [[1000, 4321]],
  notUtf8: [['"\\ufffd"']],
  link: [['latest']],
  sized: [['may.txt', 100]],
};

export const TEXT_CALLS: Samples<typeof textCalls> = {
  callingRules: [[]],
  toolSchemas: [[[look, read]], [[read]]],
  mcpSchemas: [[[look, read]], [[look]]],
  calledInText: [[address, { path: 'a' }]],
  resultInText: [
    [address, false],
    [address, true],
  ],
  noCallInText: [[{ completes: false }], [{ completes: true }]],
  callAgain: [['It has no `</tool>` at its end.']],
  callNotJson: [['{x']],
  callNotXml: [['<a> has no end']],
  callNotEnded: [[]],
  callTooLong: [[1_048_576]],
  fieldsMissing: [
    [['server_name'], ['local', 'files']],
    [['server_name', 'tool_name'], ['local']],
    [['tool_name'], ['local']],
  ],
  toolNotFound: [
    [address, { isServer: true, elsewhere: [], near: ['reed'], known: ['reed', 'write'] }],
    [address, { isServer: true, elsewhere: [], near: [], known: ['list'] }],
    [address, { isServer: true, elsewhere: [], near: [], known: [] }],
    [address, { isServer: true, elsewhere: ['disk'], near: [], known: ['list'] }],
    [address, { isServer: false, elsewhere: [], near: ['file'], known: ['local', 'file'] }],
    [address, { isServer: false, elsewhere: [], near: [], known: ['local'] }],
  ],
};

const lookup = { modelName: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } };

export const SECTIONS: Samples<typeof sections> = {
  agentLoop: [
    [true, true],
    [false, true],
    [false, false],
  ],
  capabilities: [
    [{ tools: 0, servers: [], asks: false }],
    [{ tools: 1, servers: [], asks: false }],
    [{ tools: 12, servers: ['files', 'ocr'], asks: true }],
  ],
  chainOfThought: [[]],
  callingRules: [[]],
  toolSchemas: [[[]], [[lookup]]],
  mcpSchemas: [[[]], [[lookup]]],
};

export const SKILLS: Samples<typeof skills> = {
  READ_SKILL: { description: null, skill: null, path: null },
  skillList: [[[{ name: 'pdf', description: 'Read and fill PDFs.' }]]],
  noSuchSkill: [['excel', ['pdf', 'word']]],
  badSkillName: [['7']],
  filesBeside: [['forms/']],
};

const found = { modelName: 'git_log', description: 'Shows the commit logs' };

export const SEARCH_TOOLS: Samples<typeof searchTools> = {
  searchToolsDescription: [
    [20, []],
    [
      67,
      [
        { name: 'git', tools: 12 },
        { name: 'files', tools: 14 },
      ],
    ],
    [400, Array.from({ length: 21 }, (_, n) => ({ name: `s${n}`, tools: 19 }))],
  ],
  toolsFound: [[[found, { modelName: 'git_show', description: 'Shows a commit' }]]],
  SEARCH_QUERY: null,
  noToolFound: [['paint it blue']],
  allToolsOffered: [[]],
  searchIsEmpty: [['search_tools']],
};
