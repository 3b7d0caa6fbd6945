import { useMemo, useRef, useState } from 'react';

import type { FieldSettings } from '@/api/types';
import { templateDerivations } from '@/shared/templates/derivations';
import type { DerivedValue } from '@/shared/pages/messages';

/** The functions of a form's inputs that the pages next to it call. */
export interface FieldInputsHandle {
  focus(field: string): void;
}

/**
 * Links inputs and pages. A focused input marks its values on the pages, and a click on a value focuses its input.
 * The engine that lays out the pages computes derived fields, and the inputs show them.
 */
export function useLinkedFields(settings: readonly FieldSettings[], lang: string, country: string | null) {
  const inputs = useRef<FieldInputsHandle>(null);
  const [activeField, setActiveField] = useState<string | null>(null);
  const [derivedValues, setDerivedValues] = useState<Record<string, DerivedValue>>({});
  const derivations = useMemo(() => templateDerivations(settings, lang, country), [settings, lang, country]);
  return {
    inputProps: { inputs, onFieldFocus: setActiveField, derivedValues },
    pagesProps: {
      activeField,
      onFieldClick: (field: string) => inputs.current?.focus(field),
      country,
      derivations,
      onDerived: setDerivedValues,
    },
  };
}
