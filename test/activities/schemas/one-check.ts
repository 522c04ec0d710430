import { checkThirdParty } from '../../../activities/schemas/third-party';

// A process that checks one value in the thread, and does nothing else.
const schema = { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#' } } };
void checkThirdParty(schema, { next: { n: 'x' } }).then((checked) => console.log(JSON.stringify(checked)));
