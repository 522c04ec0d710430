import { ERROR_TABLE } from '../../activities/model/failures/error-table';
import { DECISIONS } from '../../agent/protocol/decisions';
import { afterModelFailure } from '../../workflows/turn/switch-model';
import { runState } from '../workflows/state-data';
import { readPage } from './pages';

const types = [...new Set(ERROR_TABLE.map(({ type }) => type))];
const rows = new Map(
  [...readPage('guides/models.md').matchAll(/^\| \[`(\w+)`\]\S* \|.*\| (yes|no) \| (yes|no) \|$/gm)].map(
    ([, type = '', retried, movesOn]) => [type, { retried, movesOn }],
  ),
);

function chain() {
  const state = runState();
  const { manifest } = state;
  return manifest === undefined
    ? state
    : { ...state, manifest: { ...manifest, decisions: DECISIONS, models: ['first', 'second'] } };
}

it.each(types)('models.md agrees with the code on %s', (type) => {
  const retryable = ERROR_TABLE.some((row) => row.type === type && row.retryable);
  const next = afterModelFailure(chain(), type) === 'next';
  expect(rows.get(type)).toEqual({ retried: retryable ? 'yes' : 'no', movesOn: next ? 'yes' : 'no' });
});
