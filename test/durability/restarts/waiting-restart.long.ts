import { decideAfterRestart, expectedAnswers } from '../stage/waiting-restart';

it('loses none of 200 waiting runs with the worker and the server', async () => {
  expect(await decideAfterRestart(200)).toEqual(expectedAnswers(200));
});
