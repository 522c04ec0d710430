import { facesAll } from './inputs/faces-all';

describe('a fleet of three workers', () => facesAll(3));
