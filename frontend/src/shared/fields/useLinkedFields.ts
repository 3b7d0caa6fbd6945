import { replaceEqualDeep } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

import { createStore } from '@/shared/store';
import { templateDerivations } from '@/shared/templates/derivations';
import type { DerivedValue } from '@/shared/pages/messages';

import { structuredField, type FieldSettings } from './fieldSettings';
import { pictureSizes } from './pictureSizes';
import { NO_SECTIONS, type TemplateSections } from './sectionConditions';

/** The functions of a form's inputs that the pages next to it call. */
export interface FieldInputsHandle {
  focus(field: string): void;
}

/**
 * Links inputs and pages. A focused input marks its values on the pages, and a click on a value focuses its input.
 * The engine that lays out the pages computes derived fields, and the inputs show them. It also finds the sections;
 * `knownSections` are used until then.
 */
export function useLinkedFields(
  settings: readonly FieldSettings[],
  lang: string,
  country: string | null,
  knownSections: TemplateSections = NO_SECTIONS,
) {
  const inputs = useRef<FieldInputsHandle>(null);
  const [activeField, setActiveField] = useState<string | null>(null);
  const [derivedValues] = useState(() => createStore<Record<string, DerivedValue>>({}));
  const [sections, setSections] = useState(knownSections);
  const derivations = useMemo(() => templateDerivations(settings, lang, country), [settings, lang, country]);
  const ofPages = useMemo(
    () => ({ structure: settings.map(structuredField), pictureSizes: pictureSizes(settings) }),
    [settings],
  );
  // Values that are the same stay the same objects, so that their inputs need not be rendered again.
  const onDerived = useCallback(
    (derived: Record<string, DerivedValue>) => {
      const [before, next] = [derivedValues.get(), replaceEqualDeep(derivedValues.get(), derived)];
      if (next !== before) derivedValues.set(next);
    },
    [derivedValues],
  );
  const onFieldClick = useCallback((field: string) => inputs.current?.focus(field), []);
  const onSections = useCallback(
    (found: TemplateSections) => setSections((before) => replaceEqualDeep(before, found)),
    [],
  );
  return {
    inputProps: { inputs, onFieldFocus: setActiveField, derivedValues, sections },
    pagesProps: {
      activeField,
      onFieldClick,
      country,
      derivations,
      ...ofPages,
      onDerived,
      onSections,
    },
  };
}
