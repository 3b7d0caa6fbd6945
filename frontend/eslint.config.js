import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const source = resolve(dirname(fileURLToPath(import.meta.url)), 'src');

/** The layers: a lower one must not import a higher one (app → features → shared → api). */
const LAYERS = ['api', 'shared', 'features', 'app'];

/** Restricts imports to lower layers, and forbids imports between features. */
const layering = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { up: '{{from}} must not import {{to}}: app → features → shared → api.' },
  },
  create(context) {
    const place = (file) => {
      const parts = relative(source, file).split(sep);
      return {
        layer: LAYERS.indexOf(parts[0]),
        name: parts.slice(0, parts[0] === 'features' ? 2 : 1).join('/'),
      };
    };
    const here = place(context.filename);
    const check = (node) => {
      const target = node.source?.value;
      if (typeof target !== 'string' || here.layer < 0) return;
      if (!target.startsWith('@/') && !target.startsWith('.')) return;
      const file = target.startsWith('@/')
        ? resolve(source, target.slice(2))
        : resolve(dirname(context.filename), target);
      const there = place(file);
      const sideways = here.layer === 2 && there.layer === 2 && here.name !== there.name;
      if (there.layer > here.layer || sideways) {
        context.report({ node, messageId: 'up', data: { from: here.name, to: there.name } });
      }
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** Texts that begin with the path of a screen. */
const SCREEN_PATH =
  '/^\\/(user-home|my-templates|documents|users|messages|account-setting|login|register|otp-verification|forgot-password|reset-password|restore-email|terms|privacy)(\\/|\\?|$)/';

export default tseslint.config(
  { ignores: ['dist', 'engine', 'node_modules', 'src/api/schema.d.ts'] },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks, waraq: { rules: { layering } } },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'waraq/layering': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-properties': ['error', { object: 'console', property: 'log' }],
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=%]', 'TemplateElement[value.raw=%]'].map((selector) => ({
          selector: selector.replace('%', SCREEN_PATH),
          message: 'Paths of screens are in shared/paths.ts.',
        })),
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
  { files: ['src/shared/paths.ts', 'src/**/*.test.{ts,tsx}'], rules: { 'no-restricted-syntax': 'off' } },
);
