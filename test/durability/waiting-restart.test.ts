import { decideAfterRestart, expectedAnswers } from './waiting-restart';

it('loses none of 30 waiting runs with the worker and the server', async () => {
  expect(await decideAfterRestart(30)).toEqual(expectedAnswers(30));
});
