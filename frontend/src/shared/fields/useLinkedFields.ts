import { useMemo, useRef, useState } from 'react';

import type { FieldHelp } from '@/api/types';
import { makingOf } from '@/shared/documents/making';
import type { Said } from '@/shared/pages/messages';

/** The inputs of a form, for those beside it. */
export interface FieldInputs {
  focus(field: string): void;
}

/**
 * What inputs and pages tell each other. The field in hand: an input that has the keyboard marks its places on the pages, a place that
 * is pressed takes one to its input. Fields that are made of others: the engine of the pages makes them, the inputs show it.
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
