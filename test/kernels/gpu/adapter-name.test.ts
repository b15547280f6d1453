/** Two models of one driver have two names, and a name says nothing twice. */
import { expect, test } from 'vitest';
import { nameOf } from '../../../kernels/gpu/adapter-name.js';

test.each([
  ['Dawn on Vulkan', 'nvidia', 'hopper', 'nvidia-h200', 'NVIDIA: 580.1 580.1.4', 'nvidia-h200, NVIDIA: 580.1 580.1.4'],
  ['SwiftShader', 'google', 'swiftshader', 'swiftshader-device-', 'SwiftShader 5', 'swiftshader-device, SwiftShader 5'],
  ['the model in words', 'apple', '', 'apple-m1', 'Apple M1 (Metal)', 'Apple M1 (Metal)'],
  ['a browser', 'nvidia', 'ampere', '', '', 'nvidia ampere'],
  ['no description', 'intel', 'gen-12lp', 'uhd-770', '', 'intel uhd-770'],
  ['a description alone', '', '', '', 'A GPU', 'A GPU'],
  ['nothing', '', '', '', '', 'unnamed adapter'],
])('%s', (_, vendor, architecture, device, description, name) => {
  expect(nameOf({ vendor, architecture, device, description })).toBe(name);
});
