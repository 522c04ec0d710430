import { compareRequests } from './same-requests/compare';

it('sends the same bytes as ever for agents without `modelClass`', () => compareRequests(40));
