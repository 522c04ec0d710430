// A custom MCP server whose tool asks a person. It keeps nothing in memory between two calls: its state travels in the
// signed `requestState`, so that any process of it can continue, days later.
import { appendFileSync } from 'node:fs';
import { acceptedContent, createRequestStateCodec, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const SEATS = { Birch: 4, Oak: 12 };
const WHICH = {
  type: 'object',
  properties: {
    room: { type: 'string', title: 'Room', enum: Object.keys(SEATS) },
    people: { type: 'integer', title: 'How many people', minimum: 1 },
  },
  required: ['room', 'people'],
};
const SURE = {
  type: 'object',
  properties: { sure: { type: 'boolean', title: 'Book it' } },
  required: ['sure'],
};

// The SDK's ten minutes would be over before most people have read the question.
const state = createRequestStateCodec({ key: process.env.ROOMS_KEY, ttlSeconds: 30 * 24 * 60 * 60 });

async function ask(key, message, requestedSchema, remembered) {
  note({ asks: message });
  return inputRequired({
    requestState: await state.mint(remembered),
    inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) },
  });
}

async function bookRoom({ day }, { mcpReq }) {
  const remembered = mcpReq.requestState();
  if (remembered === undefined) return ask('which', `Which room on ${day}, and for how many?`, WHICH, {});
  const { chosen } = remembered;
  if (chosen === undefined) {
    const which = acceptedContent(mcpReq.inputResponses, 'which');
    if (which === undefined) return nothing(day);
    const { room, people } = which;
    if (people <= SEATS[room]) {
      return ask('sure', `Book ${room} on ${day} for ${people}?`, SURE, { chosen: { room, people } });
    }
    return ask('which', `${room} has ${SEATS[room]} seats. Which other room, and for how many?`, WHICH, {});
  }
  if (acceptedContent(mcpReq.inputResponses, 'sure')?.sure !== true) return nothing(day);
  note({ books: { day, ...chosen } });
  return text(`${chosen.room} is booked on ${day} for ${chosen.people}.`);
}

const text = (said) => ({ content: [{ type: 'text', text: said }] });
const nothing = (day) => text(`No room is booked on ${day}: the person did not want it.`);

/** Writes to the book: one line for each action of this process. */
function note(what) {
  appendFileSync(process.env.ROOMS_BOOK, `${JSON.stringify({ pid: process.pid, ...what })}\n`);
}

serveStdio(() => {
  const options = { capabilities: { tools: {} }, requestState: { verify: state.verify } };
  const server = new McpServer({ name: 'rooms', version: '1.0.0' }, options);
  const description = 'Books a meeting room. It asks the person which one, and for how many.';
  const inputSchema = z.object({ day: z.string() });
  server.registerTool('book_room', { description, inputSchema }, bookRoom);
  return server;
});
