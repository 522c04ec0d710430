import { MAX_FOUND } from '../../../../agent/tool-filter/tool-filter';
import { step } from '../../../../workflows/state/reduce';
import { withFound } from '../../../../workflows/state/reducers/tool-filter';
import { filterInput, keptTools, toolsOnOffer } from '../../../../workflows/state/selectors/tool-filter';
import { StatusPage } from '../../../../workflows/view/status-page';
import { runState, toolSpec } from '../../state-data';

const tools = ['a', 'b', 'c', 'search_tools'].map((name) => toolSpec(name));
const plain = runState(tools);
const filtered = {
  ...plain,
  ...(plain.manifest && { manifest: { ...plain.manifest, toolFilter: { top: 1, always: [] } } }),
};
const told = { ranked: ['a'], offered: 2, hidden: 2, saved: 70, ranker: 'bm25' };

test('what a call offered is a fact, and on the status page', () => {
  const { state, facts } = step(filtered, { type: 'offered', offered: told });
  expect(facts).toEqual([
    { type: 'tools.offered', turn: state.turn, offered: 2, hidden: 2, saved: 70, ranker: 'bm25' },
  ]);
  expect(state.offered).toEqual({ found: [], ranked: ['a'], offered: 2, hidden: 2, saved: 70 });
  expect(toolsOnOffer(state)).toEqual(['a', 'search_tools']);
  expect(new StatusPage().text(state)).toContain('- 2 of 4 tools offered, which saves 70 tokens a call');
  expect(new StatusPage().text(plain)).not.toContain('tools offered');
});

test('what the run has called or found is offered again; names of other tools are not', () => {
  const { state } = step(filtered, { type: 'offered', offered: told });
  const called = { ...state, toolTypeCounts: { b: 1, search_tools: 1, imagined: 2 } };
  const found = { ...called, ...withFound(called, { name: 'search_tools', found: ['c', 'unknown'] }) };
  expect(keptTools(called)).toEqual(['b']);
  expect(keptTools(found)).toEqual(['b', 'c']);
  expect(filterInput(found, { again: false })).toEqual({ filter: { kept: ['b', 'c'], opened: found.opened } });
  expect(filterInput(found, { again: true })).toMatchObject({ filter: { ranked: ['a'] } });
  // Nothing is hidden now.
  expect(toolsOnOffer(found)).toEqual(['a', 'b', 'c']);
});

test('only a search finds tools, only for an agent with a filter, and the oldest are forgotten', () => {
  expect(withFound(filtered, { name: 'a', found: ['c'] })).toEqual({});
  expect(withFound(plain, { name: 'search_tools', found: ['c'] })).toEqual({});
  expect(withFound(filtered, { name: 'search_tools' })).toEqual({});
  expect(filterInput(plain, { again: true })).toEqual({});
  const many = Array.from({ length: MAX_FOUND + 5 }, (_, n) => `t${n}`);
  const first = { ...filtered, ...withFound(filtered, { name: 'search_tools', found: many }) };
  expect(first.offered?.found).toEqual(many.slice(5));
  const { offered } = withFound(first, { name: 'search_tools', found: ['t5', 'new'] });
  expect(offered?.found).toHaveLength(MAX_FOUND);
  expect(offered?.found.slice(-2)).toEqual(['t5', 'new']);
});
