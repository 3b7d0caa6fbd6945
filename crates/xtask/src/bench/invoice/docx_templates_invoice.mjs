// node docx_templates_invoice.mjs TEMPLATE VALUES OUTPUT: fills a template with docx-templates.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { createReport } = createRequire(join(process.cwd(), 'package.json'))('docx-templates');
const [template, values, output] = process.argv.slice(2);
const data = JSON.parse(readFileSync(values, 'utf8'));
writeFileSync(output, await createReport({ template: readFileSync(template), data, cmdDelimiter: '+++' }));
