// Fails if the files that a browser loads before the catalogue appears exceed the design's limit (gzipped, from
// Vite's manifest).
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT_BYTES = 230_000;
/** The catalogue's route is loaded on demand, so it counts together with the entry. */
const BEFORE_CATALOGUE = [
  'index.html',
  'src/features/catalogue/CataloguePage.tsx',
  'src/shared/i18n/locales/ar.json',
];

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

const files = new Set();
function visit(key) {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) visit(imported);
}
BEFORE_CATALOGUE.forEach(visit);

let total = 0;
for (const file of files) {
  if (!file.endsWith('.js')) continue;
  const bytes = gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
  total += bytes;
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${file}`);
}
console.log(
  `${(total / 1000).toFixed(1).padStart(8)} kB  JavaScript before the catalogue shows, gzip (limit ${LIMIT_BYTES / 1000} kB)`,
);
if (total > LIMIT_BYTES) {
  console.error('Too much is loaded before the catalogue shows.');
  process.exit(1);
}
