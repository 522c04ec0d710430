const { readdirSync, readFileSync } = require('node:fs');
const { freemem } = require('node:os');

/**
 * The processes that this one has started, for a reader who wants to know why a test failed: one that has ended is missing
 * or `Z`, one that was stopped is `T`. Where there is no `/proc`: none.
 */
function children() {
  const found = [];
  for (const pid of entriesOf('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`);
    // The name, in parentheses, may contain blanks.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) !== process.pid) continue;
    const memory = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
    found.push(
      `${stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))} ${pid} ${state} ${Math.round(memory / 1024)} MB`,
    );
  }
  return found;
}

/** One line about them. */
function childrenLine() {
  return `processes of this file: ${children().join(', ') || 'none'}; ${Math.round(freemem() / 2 ** 20)} MB free`;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

module.exports = { childrenLine };
