import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('..', import.meta.url));
const mantine = fileURLToPath(new URL('../../node_modules/@mantine/core', import.meta.url));
const styles = join(mantine, 'styles');

const text = (file: string) => readFileSync(file, 'utf8');

/** Returns the names that the application imports from Mantine. */
function importedNames(): Set<string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const imports = files.flatMap((file) => [
    ...text(join(source, file)).matchAll(/import (?:type )?\{([^}]*)\} from '@mantine\/core'/g),
  ]);
  const names = imports.flatMap(([, list = '']) => list.split(','));
  return new Set(
    names.map(
      (name) =>
        name
          .replace(/^\s*type /, '')
          .split(' as ')[0]
          ?.trim() ?? '',
    ),
  );
}

/** Returns the style sheets of these components and of everything that they import. */
function neededStyles(names: Set<string>): Set<string> {
  const esm = join(mantine, 'esm');
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    if (file.endsWith('.module.mjs')) found.add(basename(file, '.module.mjs'));
    else
      for (const [, path = ''] of text(file).matchAll(/(?:from|import) "(\.[^"]+)"/g))
        visit(join(dirname(file), path));
  };
  for (const [, list = '', path = ''] of text(join(esm, 'index.mjs')).matchAll(
    /import \{([^}]*)\} from "(\.[^"]+)"/g,
  ))
    if (list.split(',').some((name) => names.has(name.split(' as ').at(-1)?.trim() ?? '')))
      visit(join(esm, path));
  return new Set([...found].filter((name) => existsSync(join(styles, `${name}.css`))));
}

const imported = [...text(join(source, 'app/mantineStyles.ts')).matchAll(/styles\/([\w-]+)\.css/g)].map(
  ([, name = '']) => name,
);

it('loads exactly the style sheets of the used components', () => {
  const general = ['baseline', 'default-css-variables', 'global'];
  expect([...imported].sort()).toEqual([...neededStyles(importedNames()), ...general].sort());
});

it('loads them in Mantine’s own order', () => {
  const all = text(join(mantine, 'styles.css'));
  const places = imported.map((name) =>
    all.indexOf(
      text(join(styles, `${name}.css`))
        .trim()
        .slice(0, 120),
    ),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
});
