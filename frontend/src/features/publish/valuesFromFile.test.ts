import { describe, expect, it } from 'vitest';

import { EMPTY_TEMPLATE_DRAFT } from './templateDraft';
import type { TemplateValues } from './templateProblems';
import { valuesFromFile } from './valuesFromFile';

const lease = new File(['x'], 'lease.docx');
const invoice = new File(['x'], 'invoice_2026.docx');
const form = (values: Partial<TemplateValues>): TemplateValues => ({
  ...EMPTY_TEMPLATE_DRAFT,
  file: null,
  ...values,
});

describe('title and language of a new template', () => {
  it('come from the first file, and from the next one instead', () => {
    expect(valuesFromFile(form({}), null, lease)).toEqual({ title: 'lease', language: null });
    const chosen = form({ file: lease, title: 'lease', language: 'fr' });
    expect(valuesFromFile(chosen, 'fr', invoice)).toEqual({ title: 'invoice 2026', language: null });
  });

  it('are cleared with the file that they came from', () => {
    const chosen = form({ file: lease, title: 'lease', language: 'fr' });
    expect(valuesFromFile(chosen, 'fr', null)).toEqual({ title: '', language: null });
  });

  it('stay if the admin has entered them', () => {
    const chosen = form({ file: lease, title: 'Lease of a flat', language: 'ar' });
    for (const next of [invoice, null])
      expect(valuesFromFile(chosen, 'fr', next)).toEqual({ title: 'Lease of a flat', language: 'ar' });
  });
});
