import { describe, expect, it } from 'vitest';

import type { FieldSettings } from './fieldSettings';
import { labelsShownBy, shownFields } from './sectionConditions';
import type { FieldValues } from './values';

describe('the fields of a form', () => {
  const settings: FieldSettings[] = [
    { field: 'guaranteed', kind: 'yes_no' },
    { field: 'guarantor', label: 'Full name of the guarantor', kind: 'text' },
    { field: 'reason', kind: 'text' },
    { field: 'tenant', kind: 'text' },
  ];
  const conditions = {
    guarantor: [{ field: 'guaranteed', answer: true }],
    reason: [{ field: 'guaranteed', answer: false }],
  };
  const shown = (values: FieldValues, printed: string[] = []) =>
    shownFields(settings, values, { conditions, printed }).map(({ field }) => field);

  it('are hidden while their section is not printed', () => {
    expect(shown({})).toEqual(['guaranteed', 'reason', 'tenant']);
    expect(shown({ guaranteed: true })).toEqual(['guaranteed', 'guarantor', 'tenant']);
    // Earlier forms have texts as answers.
    expect(shown({ guaranteed: 'yes' })).toEqual(['guaranteed', 'guarantor', 'tenant']);
  });

  it('stay while their text is too long to be sent', () => {
    expect(shown({ guarantor: 'x'.repeat(10_001) })).toContain('guarantor');
  });

  it('stay while the pages show them', () => {
    expect(shown({}, ['guarantor'])).toContain('guarantor');
  });

  it('stay if the yes/no field is no longer in the template', () => {
    const others = settings.slice(1);
    expect(shownFields(others, {}, { conditions, printed: [] })).toEqual(others);
  });

  it('are named by their switch', () => {
    const labels = (field: string, answer: boolean) =>
      labelsShownBy(settings, { conditions, printed: [] }, field, answer);
    expect(labels('guaranteed', true)).toEqual(['Full name of the guarantor']);
    expect(labels('guaranteed', false)).toEqual(['reason']);
    expect(labels('tenant', true)).toEqual([]);
  });
});
