import { useMemo, useRef, useState } from 'react';

import type { FieldHelp } from '@/api/types';
import { makingOf } from '@/shared/documents/making';
import type { Said } from '@/shared/pages/messages';

/** The interface of a form's inputs for the pages next to it. */
export interface FieldInputs {
  focus(field: string): void;
}

/**
 * Links inputs and pages. A focused input marks its places on the pages, and a click on a place focuses its input.
 * The engine of the pages computes derived fields, and the inputs show them.
 */
export function useLinkedFields(help: readonly FieldHelp[], lang: string, country: string | null) {
  const inputs = useRef<FieldInputs>(null);
  const [field, setField] = useState<string | null>(null);
  const [derived, setDerived] = useState<Record<string, Said>>({});
  const making = useMemo(() => makingOf(help, lang, country), [help, lang, country]);
  return {
    toInput: { inputs, onField: setField, derived },
    toPages: {
      field,
      onField: (pressed: string) => inputs.current?.focus(pressed),
      making,
      onDerived: setDerived,
    },
  };
}
