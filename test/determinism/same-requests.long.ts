import { compareRequests } from './same-requests/compare';

it('sends the same bytes as ever in all conversations of agents without `modelClass`', compareRequests);
