const { gross } = require('../price.js');
const { equal } = require('node:assert/strict');

equal(gross(9.99), 11.89);
